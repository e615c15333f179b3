package etcdoperator.cluster.lifecycle;

import etcdoperator.api.OperationType;
import etcdoperator.cluster.recovery.LossRecheck;
import etcdoperator.cluster.step.LifecycleStep.LieDown;
import etcdoperator.cluster.step.Outcome.Wait;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.step.Task;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.domain.PeerName;
import java.util.List;
import java.util.Optional;

/**
 * A cluster that an EtcdRestore is about to give other data: its peers go, its claims stay. What becomes of the claims
 * is the restore's business, which waits until it sees the lock and nobody on them.
 */
public final class LyingDown {
    private LyingDown() {}

    public static Optional<Step> next(ClusterView view) {
        return view.wish().restoring().map(restore -> LossRecheck.next(view).orElseGet(() -> next(view, restore)));
    }

    private static Step next(ClusterView view, String restore) {
        var task = new Task(OperationType.RESTORE, restore);
        List<PeerName> stopping = view.ownPeers().stream()
                .filter(peer -> !peer.stopped() && !peer.mayFoundCluster())
                .map(PeerView::name)
                .toList();
        List<PeerName> leaving = view.ownPeers().stream()
                .filter(peer -> peer.mayFoundCluster() || (peer.stopped() && hasNoPod(view, peer)))
                .map(PeerView::name)
                .toList();
        List<String> hurried = hurried(view, restore);
        if (!stopping.isEmpty()
                || !leaving.isEmpty()
                || !hurried.isEmpty()
                || view.memory().operation().filter(task::isRecordedAs).isEmpty()) {
            return new LieDown(
                    task,
                    stopping,
                    leaving,
                    hurried,
                    "Stopping every member, because EtcdRestore %s restores the cluster in place; claims stay"
                            .formatted(restore));
        }
        return Founding.leftovers(view)
                .orElseGet(() -> new Wait(
                        "Lying down until EtcdRestore %s has put the restored data in place; if there is no such EtcdRestore any more, remove the annotation etcd.improbable.io/restoring, and the cluster starts on the claims it has"
                                .formatted(restore)));
    }

    /**
     * An etcd that is told to stop first waits for its clients, for seven seconds if anybody watches. Where most voters
     * are lost nobody will get an answer from it, and everybody waits for its end.
     */
    private static List<String> hurried(ClusterView view, String restore) {
        return view.recoveries().stream().anyMatch(recovery -> recovery.name().equals(restore))
                ? view.pods().stream()
                        .filter(PodView::lingers)
                        .map(PodView::name)
                        .toList()
                : List.of();
    }

    private static boolean hasNoPod(ClusterView view, PeerView peer) {
        return view.pods().stream().noneMatch(pod -> pod.peer().equals(peer.name()));
    }
}
