package etcdoperator.cluster;

import etcdoperator.cluster.maintenance.Alarms;
import etcdoperator.cluster.membership.MistakenLeader;
import etcdoperator.cluster.membership.StalledMember;
import etcdoperator.cluster.recovery.Recovery;
import etcdoperator.cluster.rollout.Renewal;
import etcdoperator.cluster.rollout.Roll;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.ClusterView.KnownMember;
import etcdoperator.cluster.view.Maintenance;
import etcdoperator.cluster.view.Operation;
import etcdoperator.domain.Quorum;
import etcdoperator.etcd.Pace;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** When there will be something to do for a cluster that is at rest, because of the time alone. */
final class Timetable {
    private static final Duration AT_ONCE = Duration.ofMillis(1);

    private Timetable() {}

    static Optional<Duration> next(ClusterView view) {
        Maintenance maintenance = view.wish().maintenance();
        return Stream.of(
                        Alarms.comparisonDue(view).filter(due -> view.ownPeers().size() > 1),
                        maintenance.defragmentation().map(schedule -> schedule.next(view.now())),
                        view.tls().nextAt(),
                        view.auth().nextAt(),
                        maintenance.window().map(window -> window.opensNext(view.now())))
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder())
                .map(due -> Duration.between(view.now(), due))
                .map(rest -> rest.compareTo(AT_ONCE) < 0 ? AT_ONCE : rest);
    }

    /** What only time brings may come before anybody would look again. */
    static Duration within(Duration longest, ClusterView view) {
        return Stream.of(
                        Recovery.due(view),
                        MistakenLeader.dueAt(view).map(at -> Duration.between(view.now(), at)),
                        StalledMember.dueAt(view).map(at -> Duration.between(view.now(), at)))
                .flatMap(Optional::stream)
                .filter(due -> due.compareTo(longest) < 0)
                .min(Comparator.naturalOrder())
                .map(due -> due.compareTo(AT_ONCE) < 0 ? AT_ONCE : due)
                .orElse(longest);
    }

    /** How often members are asked. @param settled whether all is well, and now and then is often enough */
    static Pace pace(ClusterView view, boolean settled) {
        if (settled) {
            return Pace.CALM;
        }
        int voters = (int)
                view.memory().members().stream().filter(KnownMember::votes).count();
        // Not ready are also those who are slow, and asking them once would make them well and unwell in turn.
        int there = (int) view.pods().stream()
                .filter(pod -> pod.address().isPresent() && !pod.deleting())
                .count();
        if (voters > 0 && !new Quorum(voters).metBy(there)) {
            return Pace.WORRIED;
        }
        return view.memory().operation().filter(Operation::changesMembers).isPresent() ? Pace.THOROUGH : Pace.EAGER;
    }

    /** When the maintenance window opens for what waits for it. */
    static Optional<Instant> heldBackUntil(ClusterView view) {
        var renewal = new Renewal(view);
        boolean behind = view.ownPeers().stream().anyMatch(renewal::isBehind);
        return behind && Roll.isHeldBack(view)
                ? view.wish().maintenance().window().map(window -> window.opensNext(view.now()))
                : Optional.empty();
    }
}
