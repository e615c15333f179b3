package etcdoperator.cluster.effect;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdPeerSpec;
import etcdoperator.api.OperationType;
import etcdoperator.cluster.effect.Effect.RecordOperation;
import etcdoperator.cluster.effect.Effect.ReplacePeer;
import etcdoperator.cluster.step.Task;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Operation;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Scheme;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.Peers;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.stream.Stream;

/** What effects are spelled out on: the objects as they were read, and the view that was made of them. */
public record Scene(ClusterObjects objects, ClusterView view) {
    EtcdCluster cluster() {
        return objects.cluster();
    }

    /** Peers with a member that the others reach by this scheme. */
    Peers peers(Scheme scheme) {
        return new Peers(cluster(), view.tls().forMember(scheme));
    }

    Task whole(OperationType type) {
        return new Task(type, cluster().getMetadata().getName());
    }

    Stream<Effect> record(Task task, String reason) {
        return view.memory().operation().filter(task::isRecordedAs).isPresent()
                ? Stream.empty()
                : Stream.of(new RecordOperation(new Operation(task.type(), task.target(), view.now(), reason)));
    }

    Stream<PersistentVolumeClaim> claim(String name) {
        return ClusterObjects.find(objects.claims(), name).stream();
    }

    Stream<EtcdPeer> peer(PeerName name) {
        return ClusterObjects.find(objects.peers(), name.toString()).stream();
    }

    Stream<Effect> stopped(PeerName name, boolean stop) {
        return peer(name)
                .map(peer -> new ReplacePeer(withSpec(peer, peer.getSpec().withStopped(stop))));
    }

    static EtcdPeer withSpec(EtcdPeer peer, EtcdPeerSpec spec) {
        var changed = new EtcdPeer();
        changed.setMetadata(peer.getMetadata());
        changed.setSpec(spec);
        changed.setStatus(peer.getStatus());
        return changed;
    }
}
