package etcdoperator.cluster.lifecycle;

import static java.util.stream.Collectors.joining;

import etcdoperator.api.OperationType;
import etcdoperator.cluster.step.LifecycleStep.Sleep;
import etcdoperator.cluster.step.LifecycleStep.Wake;
import etcdoperator.cluster.step.Outcome.Finish;
import etcdoperator.cluster.step.Outcome.Steady;
import etcdoperator.cluster.step.Outcome.Wait;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.cluster.view.Roster;
import etcdoperator.domain.PeerName;
import java.util.List;
import java.util.Optional;

/** A cluster of size 0 keeps its peers and its data and runs nothing. */
public final class Sleeping {
    static final String ASLEEP = "Asleep: spec.replicas is 0";

    private Sleeping() {}

    private static Optional<String> nodeAway(PeerName peer, ClusterView view) {
        return view.pods().stream()
                .filter(pod -> pod.peer().equals(peer))
                .flatMap(pod -> pod.node().stream())
                .filter(view.nodesDown()::contains)
                .findFirst();
    }

    /** All that is done for a cluster of size 0 that has peers. */
    public static Step next(ClusterView view) {
        List<PeerName> awake = view.ownPeers().stream()
                .filter(peer -> !peer.stopped())
                .map(PeerView::name)
                .toList();
        Optional<PeerName> founder = view.ownPeers().stream()
                .filter(peer -> !peer.stopped() && peer.mayFoundCluster() && isAwaited(peer, view))
                .map(PeerView::name)
                .findFirst();
        if (founder.isPresent()) {
            // A volume may be lost in its sleep, and a founder would wake up as a voter that has forgotten.
            return new Wait("Waiting for %s to join before the cluster falls asleep%s"
                    .formatted(
                            founder.get(),
                            nodeAway(founder.get(), view)
                                    .map("; its node %s is away"::formatted)
                                    .orElse("")));
        }
        if (!awake.isEmpty()) {
            return new Sleep(awake, "Putting the cluster to sleep: spec.replicas is 0");
        }
        Optional<PodView> pod = view.pods().stream().findFirst();
        if (pod.isPresent()) {
            return new Wait("Waiting for pod %s to end".formatted(pod.get().name()));
        }
        return asleep(view);
    }

    /** One that was removed before it was ever seen will not join any more. */
    private static boolean isAwaited(PeerView peer, ClusterView view) {
        return Roster.of(view).map(roster -> roster.member(peer).isPresent()).orElse(true);
    }

    /** Whatever was under way when the size became 0 is over. */
    static Step asleep(ClusterView view) {
        return view.memory()
                .operation()
                .<Step>map(operation -> new Finish(operation, ASLEEP))
                .orElseGet(() -> new Steady(ASLEEP));
    }

    /** Whether it is over only because nobody is awake any more. */
    public static boolean hasCutShort(Finish finish) {
        return finish.reason().equals(ASLEEP) && finish.operation().type() != OperationType.SLEEP;
    }

    /**
     * Everybody starts, whatever the size asked for: only together can they say who is a member. One whose claim is
     * retired may have left before; then etcd tells it so. One whose claim is gone is told of, and replaced in the end.
     * Who is stopped while others run waits for another member, unless waking was cut short.
     */
    public static Optional<Step> wake(ClusterView view) {
        boolean all = view.ownPeers().stream().allMatch(PeerView::stopped) || isWaking(view);
        List<PeerName> sleepers = view.ownPeers().stream()
                .filter(PeerView::stopped)
                .filter(peer -> all
                        || view.claim(peer.claimName())
                                .filter(claim -> !claim.retired() && !waitsForItsTurn(claim))
                                .isPresent())
                .map(PeerView::name)
                .toList();
        return sleepers.isEmpty()
                ? Optional.empty()
                : Optional.of(new Wake(
                        sleepers,
                        "Waking "
                                + sleepers.stream().map(PeerName::toString).collect(joining(", "))
                                + " on the volumes that hold the cluster's data"));
    }

    /** Its member was removed because its etcd had not started, and is added again before it starts. */
    private static boolean waitsForItsTurn(ClaimView claim) {
        return claim.contents() instanceof ClaimView.Contents.Joining
                && claim.notStarted().isPresent();
    }

    private static boolean isWaking(ClusterView view) {
        return view.memory()
                .operation()
                .filter(operation -> operation.type() == OperationType.RESUME)
                .isPresent();
    }
}
