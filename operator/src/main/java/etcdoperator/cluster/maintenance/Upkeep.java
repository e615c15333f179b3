package etcdoperator.cluster.maintenance;

import etcdoperator.api.OperationType;
import etcdoperator.cluster.membership.Recognition;
import etcdoperator.cluster.step.MaintenanceStep;
import etcdoperator.cluster.step.MaintenanceStep.Defragment;
import etcdoperator.cluster.step.MaintenanceStep.TakeOut;
import etcdoperator.cluster.step.MembershipStep.MoveLeader;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.step.Task;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.Membership.Role;
import etcdoperator.cluster.view.PodView;
import etcdoperator.cluster.view.Roster;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Keeps databases small: one member at a time, the leader last and after it has handed over, out of the service meanwhile. */
public final class Upkeep {
    private static final long WORTH_IT = 100L << 20;
    private static final Duration AT_MOST_EVERY = Duration.ofHours(1);

    private final ClusterView view;
    private final Roster roster;

    public Upkeep(ClusterView view, Roster roster) {
        this.view = view;
        this.roster = roster;
    }

    /** A pod that was taken out of the client service gets back into it, once its member may serve and is not defragmented. */
    public static Optional<Step> putBack(ClusterView view) {
        return view.ownPeers().stream()
                .filter(peer -> Recognition.mayServe(view, peer))
                .flatMap(peer -> view.podOf(peer).stream())
                .filter(pod -> !pod.serving() && !isBeingDefragmented(pod, view))
                .findFirst()
                .map(pod -> new MaintenanceStep.PutBack(
                        pod.name(), "Putting %s back into the client service".formatted(pod.peer())));
    }

    private static boolean isBeingDefragmented(PodView pod, ClusterView view) {
        return view.memory()
                .operation()
                .filter(operation -> isDefragmenting(operation.type()))
                .filter(operation -> view.reachable()
                        .flatMap(reachable -> reachable.memberOn(pod.claimName()))
                        .filter(member -> !view.chores().haveDefragmentedSince(operation.startedAt(), member.id()))
                        .isPresent())
                .isPresent();
    }

    private static boolean isDefragmenting(OperationType type) {
        return type == OperationType.DEFRAGMENT || type == OperationType.FREE_SPACE;
    }

    public Optional<Step> next() {
        if (!roster.learners().isEmpty() || !roster.everyVoterIsWell()) {
            return Optional.empty();
        }
        return underWay().or(this::scheduled).or(this::wasteful);
    }

    /** What was begun goes on, also after its window has closed: half of it would be for nothing. */
    private Optional<Step> underWay() {
        return view.memory()
                .operation()
                .filter(operation -> operation.type() == OperationType.DEFRAGMENT)
                .flatMap(operation -> {
                    var task = new Task(operation.type(), operation.target());
                    return defragmentOne(
                            task,
                            operation.startedAt(),
                            member ->
                                    operation.target().equals(view.wish().key().name())
                                            || member.known().equals(operation.target()),
                            operation.reason());
                });
    }

    private Optional<Step> scheduled() {
        return view.wish()
                .maintenance()
                .defragmentation()
                .map(schedule -> schedule.next(lastDefragmentation()))
                .filter(tick -> !tick.isAfter(view.now()) && isOpen())
                .flatMap(tick -> defragmentOne(
                        new Task(OperationType.DEFRAGMENT, view.wish().key().name()),
                        tick,
                        member -> true,
                        "Defragmenting every member, as spec.maintenance.defragmentation.schedule asks for"));
    }

    private Instant lastDefragmentation() {
        return Stream.concat(
                        view.chores().defragmented().values().stream(),
                        Stream.of(view.chores().since()))
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    private Optional<Step> wasteful() {
        Instant lately = view.now().minus(AT_MOST_EVERY);
        return roster.voters().stream()
                .filter(member -> isOpen() && wastes(member))
                .filter(member -> !view.chores().haveDefragmentedSince(lately, member.id()))
                .findFirst()
                .flatMap(member -> defragment(
                        new Task(OperationType.DEFRAGMENT, member.known()),
                        member,
                        "Defragmenting %s: %d of %d MiB are unused"
                                .formatted(
                                        member.known(),
                                        (member.store().sizeBytes()
                                                        - member.store().usedBytes())
                                                >> 20,
                                        member.store().sizeBytes() >> 20)));
    }

    private boolean wastes(MemberView member) {
        long size = member.store().sizeBytes();
        return size > WORTH_IT
                && size - member.store().usedBytes()
                        >= size * view.wish().maintenance().wastedShare();
    }

    private boolean isOpen() {
        return view.wish().maintenance().isOpenAt(view.now());
    }

    /** The next of those who were not defragmented since: followers first. */
    Optional<Step> defragmentOne(Task task, Instant since, Predicate<MemberView> whom, String reason) {
        return roster.voters().stream()
                .filter(whom)
                .filter(member -> !view.chores().haveDefragmentedSince(since, member.id()))
                .min(Comparator.comparing((MemberView member) -> member.role() == Role.LEADER)
                        .thenComparing(MemberView::known))
                .flatMap(member -> defragment(task, member, reason));
    }

    private Optional<Step> defragment(Task task, MemberView member, String reason) {
        Optional<PodView> pod = member.peer().flatMap(view::ownPeer).flatMap(view::podOf);
        boolean alone = roster.voters().size() == 1;
        return Stream.of(
                        roster.successor(member).map(successor -> (Step) new MoveLeader(
                                task,
                                member.known(),
                                successor.id(),
                                successor.known(),
                                "Moving leadership from %s to %s, because %s is defragmented"
                                        .formatted(member.known(), successor.known(), member.known()))),
                        pod.filter(p -> p.serving() && !alone).map(p -> (Step) new TakeOut(task, p.name(), reason)),
                        pod.map(p -> (Step) new Defragment(task, member.id(), withTrouble(reason))))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private String withTrouble(String reason) {
        return view.chores().trouble().map(why -> reason + "; " + why).orElse(reason);
    }
}
