package etcdoperator.cluster.membership;

import etcdoperator.cluster.step.MaintenanceStep.CommitEntry;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Membership.AlarmView;
import etcdoperator.cluster.view.Membership.Health;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.Membership.Role;
import etcdoperator.cluster.view.Roster;
import etcdoperator.etcd.MetricsHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A member that was sent a snapshot serves only after the next entry: until then etcd, from 3.6 on, takes itself for
 * overloaded and refuses its own publication. In an idle cluster no entry comes, so the operator commits one that changes nothing.
 */
public final class StalledMember {
    /** A member that is well serves sooner. */
    private static final Duration STANDS_STILL = Duration.ofSeconds(3);

    /** The longer it lasts, the less an entry helps: of the whole time, the last entry must be this share ago. */
    private static final int SHARE = 10;

    private static final Duration FRESH = Duration.ofSeconds(10);

    private final ClusterView view;
    private final Roster roster;

    public StalledMember(ClusterView view, Roster roster) {
        this.view = view;
        this.roster = roster;
    }

    private record Stalled(MemberView member, long committed, Instant dueAt) {}

    public Optional<Step> next() {
        return stalled()
                .filter(stalled -> !stalled.dueAt().isAfter(view.now()))
                .findFirst()
                .map(stalled -> new CommitEntry(
                        stalled.member().id(),
                        "Committing an entry that changes nothing: %s has every entry up to %d and serves no client, and no other entry follows in an idle cluster"
                                .formatted(stalled.member().known(), stalled.committed())));
    }

    /** When a member will have stood still for long enough. */
    public static Optional<Instant> dueAt(ClusterView view) {
        return Roster.of(view)
                .flatMap(roster -> new StalledMember(view, roster)
                        .stalled()
                        .map(Stalled::dueAt)
                        .filter(due -> due.isAfter(view.now()))
                        .min(Comparator.naturalOrder()));
    }

    private Stream<Stalled> stalled() {
        // etcd refuses such entries while this alarm lasts.
        boolean corrupt = view.reachable().stream()
                .flatMap(reachable -> reachable.alarms().stream())
                .anyMatch(alarm -> alarm.kind() == AlarmView.Kind.CORRUPT);
        Optional<MemberView> leader = roster.voters().stream()
                .filter(member -> member.role() == Role.LEADER && member.healthy())
                .findFirst();
        return corrupt || leader.isEmpty()
                ? Stream.empty()
                : roster.members().stream()
                        .filter(StalledMember::isSilent)
                        .flatMap(member -> member
                                .metrics()
                                .filter(metrics -> hasAll(metrics, leader.get()))
                                .map(metrics -> new Stalled(member, metrics.committed(), dueAt(metrics)))
                                .stream());
    }

    private static boolean isSilent(MemberView member) {
        return member.health() instanceof Health.Unhealthy && member.version().isEmpty();
    }

    /** A member that lacks entries does not wait for another one. */
    private boolean hasAll(MetricsHistory metrics, MemberView leader) {
        return metrics.isFresh(view.now(), FRESH)
                && metrics.committed() > 0
                && metrics.committed() >= leader.store().committed();
    }

    private Instant dueAt(MetricsHistory metrics) {
        Duration share = Duration.between(metrics.begunAt(), view.now()).dividedBy(SHARE);
        return metrics.committedSince().plus(share.compareTo(STANDS_STILL) > 0 ? share : STANDS_STILL);
    }
}
