package etcdoperator.cluster.maintenance;

import etcdoperator.api.OperationType;
import etcdoperator.cluster.step.MaintenanceStep.Compact;
import etcdoperator.cluster.step.MaintenanceStep.Compare;
import etcdoperator.cluster.step.MaintenanceStep.Disarm;
import etcdoperator.cluster.step.Outcome;
import etcdoperator.cluster.step.Outcome.Stuck;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.step.Task;
import etcdoperator.cluster.view.Chores.Comparison;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Membership.AlarmView;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.Operation;
import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Roster;
import etcdoperator.domain.MemberId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What is done about the alarms that etcd raises, and about data that differs. */
public final class Alarms {
    private static final Duration FRESH = Duration.ofMinutes(5);
    private static final Duration NEXT_TRY = Duration.ofMinutes(10);

    /** Above this share of the quota the next writes would raise the alarm again. */
    private static final double NEARLY_FULL = 0.9;

    private final ClusterView view;
    private final Roster roster;

    public Alarms(ClusterView view, Roster roster) {
        this.view = view;
        this.roster = roster;
    }

    /**
     * etcd refuses all writes once somebody has said that data differs. Who differs is found by a hash at one revision
     * and replaced before this; once all agree, the alarm can go.
     */
    public Optional<Step> corruption() {
        Optional<AlarmView> alarm = alarm(AlarmView.Kind.CORRUPT);
        Optional<Comparison> comparison = view.chores().comparison().filter(this::isOfThese);
        if (comparison.filter(c -> c.agreeing().isEmpty() && isFresh(c.at())).isPresent()) {
            return Optional.of(new Stuck(disagreement()));
        }
        if (comparison.filter(c -> c.agreeing().isEmpty()).isPresent()) {
            // Somebody may have mended it by now.
            return Optional.of(new Compare("Comparing the data of the members again"));
        }
        if (alarm.isEmpty() || !roster.activeLearners().isEmpty() || !roster.everyVoterIsWell()) {
            return Optional.empty();
        }
        boolean agreed = comparison
                .filter(c -> c.differing().isEmpty() && isFresh(c.at()))
                .isPresent();
        return Optional.of(
                agreed
                        ? new Disarm(
                                new Task(OperationType.DISARM, view.wish().key().name()),
                                alarm.get(),
                                "Ending the alarm that data is corrupt: all members have the same data at one revision")
                        : new Compare(view.chores()
                                .trouble()
                                .map(why -> "Comparing the data of the members; " + why)
                                .orElse("Comparing the data of the members")));
    }

    /** Compaction, then every member's defragmentation, then the end of the alarm: the other way round it comes back. */
    public Optional<Step> space(Upkeep upkeep) {
        Optional<AlarmView> alarm = alarm(AlarmView.Kind.NOSPACE);
        Optional<Operation> begun =
                view.memory().operation().filter(operation -> operation.type() == OperationType.FREE_SPACE);
        if (alarm.isEmpty() || !roster.activeLearners().isEmpty() || !roster.everyVoterIsWell()) {
            return Optional.empty();
        }
        if (begun.filter(operation -> operation.startedAt().plus(NEXT_TRY).isBefore(view.now()))
                .isPresent()) {
            return begun.map(
                    operation -> new Outcome.Finish(operation, "The database is as full as before; trying again"));
        }
        var task = new Task(OperationType.FREE_SPACE, view.wish().key().name());
        String reason =
                "A database has reached its quota, and etcd takes no more writes: compacting and defragmenting it";
        Instant since = begun.map(Operation::startedAt).orElse(view.now());
        if (!view.chores().haveCompactedSince(since)) {
            return Optional.of(new Compact(task, reason));
        }
        return upkeep.defragmentOne(task, since, member -> true, reason)
                .or(() -> Optional.of(conclude(task, alarm.get())));
    }

    private Step conclude(Task task, AlarmView alarm) {
        Optional<MemberView> full =
                roster.voters().stream().filter(this::isNearlyFull).findFirst();
        return full.<Step>map(member -> new Stuck(new Problem(
                        Problem.Kind.NoSpace,
                        "The database of %s takes %d of %d MiB, although it was compacted and defragmented: delete keys, or raise spec.etcd.quotaBackendBytes; etcd takes no other writes until then"
                                .formatted(member.known(), member.store().sizeBytes() >> 20, quota(member) >> 20))))
                .orElseGet(() -> new Disarm(
                        task,
                        alarm,
                        "Ending the alarm that there is no space: compaction and defragmentation have made some"));
    }

    private boolean isNearlyFull(MemberView member) {
        return member.store().sizeBytes() > quota(member) * NEARLY_FULL;
    }

    private long quota(MemberView member) {
        return member.store().quotaBytes() > 0
                ? member.store().quotaBytes()
                : view.wish().maintenance().quotaBytes();
    }

    /** Now and then, while all is well, for damage that no alarm has told of. */
    public Optional<Step> comparison() {
        boolean alike = roster.voters().stream()
                        .flatMap(member -> member.version().stream())
                        .distinct()
                        .count()
                == 1;
        if (!alike || roster.voters().size() < 2 || !roster.activeLearners().isEmpty() || !roster.everyVoterIsWell()) {
            return Optional.empty();
        }
        return comparisonDue(view)
                .filter(due -> !due.isAfter(view.now()))
                .map(due -> new Compare("Comparing the data of the members"));
    }

    public static Optional<Instant> comparisonDue(ClusterView view) {
        Instant last = view.chores()
                .comparison()
                .map(Comparison::at)
                .orElse(view.chores().since());
        return view.wish()
                .maintenance()
                .comparison()
                .map(interval -> view.chores().trouble().isPresent()
                        ? view.chores().lastTry().plus(interval.compareTo(NEXT_TRY) < 0 ? interval : NEXT_TRY)
                        : last.plus(interval));
    }

    private Problem disagreement() {
        return new Problem(
                Problem.Kind.DataDiffers,
                "The members have different data at one revision, and no majority of them agrees, so nobody can tell whose is right: nothing is done; compare them by hand, or restore a backup");
    }

    private Optional<AlarmView> alarm(AlarmView.Kind kind) {
        return view.reachable().stream()
                .flatMap(reachable -> reachable.alarms().stream())
                .filter(alarm -> alarm.kind() == kind)
                .findFirst();
    }

    private boolean isFresh(Instant at) {
        return at.plus(FRESH).isAfter(view.now());
    }

    /** Whether it was about exactly the members that there are now. */
    private boolean isOfThese(Comparison comparison) {
        Set<MemberId> now = roster.voters().stream().map(MemberView::id).collect(Collectors.toSet());
        return now.stream()
                        .allMatch(id -> comparison.agreeing().contains(id)
                                || comparison.differing().contains(id))
                && now.size()
                        == comparison.agreeing().size() + comparison.differing().size();
    }
}
