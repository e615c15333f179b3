package etcdoperator.peer;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.domain.ClusterKey;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.Drift;
import etcdoperator.kube.Kube;
import etcdoperator.kube.Kube.RefusedException;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.kube.KubeCache;
import etcdoperator.kube.KubeCache.PeerKey;
import etcdoperator.kube.KubeCache.PeerObjects;
import etcdoperator.kube.Notice;
import etcdoperator.manifest.Addresses.IpFamily;
import etcdoperator.manifest.PeerReplicaSet;
import etcdoperator.manifest.ReadMark;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a peer's ReplicaSet as its spec says. It changes templates, which restarts nothing, and never deletes a pod. */
public final class PeerPass {
    private static final Logger LOG = LoggerFactory.getLogger(PeerPass.class);
    private static final Duration TRY_AGAIN = Duration.ofSeconds(10);
    private static final Duration WAIT_FOR_POD = Duration.ofSeconds(1);

    private final KubeCache cache;
    private final Kube kube;
    private final IpFamily family;

    public PeerPass(KubeCache cache, Kube kube, IpFamily family) {
        this.cache = cache;
        this.kube = kube;
        this.family = family;
    }

    /** @return when to look again, if nothing happens before */
    public Optional<Duration> run(PeerKey key) throws StaleViewException {
        Optional<PeerObjects> found = cache.peer(key);
        if (found.isEmpty() || !isRendered(found.get().peer())) {
            return Optional.empty();
        }
        PeerObjects objects = found.get();
        Optional<ClusterObjects> cluster = clusterOf(objects.peer());
        if (isPaused(cluster)) {
            return Optional.of(TRY_AGAIN);
        }
        if (objects.replicaSet().filter(set -> !isOwnedBy(objects.peer(), set)).isPresent()) {
            throw new StaleViewException("the ReplicaSet of an earlier peer is still being removed");
        }
        if (objects.replicaSet().isEmpty()
                && objects.pods().stream().anyMatch(pod -> isOwned(pod) && isOnVolumeOf(objects.peer(), pod))) {
            return Optional.of(WAIT_FOR_POD);
        }
        boolean read = isRead(objects.peer(), cluster);
        ReplicaSet desired = Drift.stamped(rendered(objects, read));
        try {
            if (objects.replicaSet().isEmpty()) {
                kube.create(desired);
                tell(objects.peer(), Notice.normal("ReplicaSetCreated", "Created ReplicaSet " + key.name()));
            } else if (Drift.between(desired, objects.replicaSet().get())) {
                // That very one: another, made in place of one that is gone, would start a second pod on the volume.
                desired.getMetadata()
                        .setUid(objects.replicaSet().get().getMetadata().getUid());
                kube.apply(desired);
                tell(objects.peer(), Notice.normal("ReplicaSetUpdated", "Updated ReplicaSet " + key.name()));
            }
            // Nobody tells a peer that its reader is gone.
            return read ? Optional.of(TRY_AGAIN) : Optional.empty();
        } catch (RefusedException e) {
            tell(objects.peer(), Notice.warning("Refused", e.why()));
            return Optional.of(TRY_AGAIN);
        }
    }

    /**
     * As long as a pod runs on a volume that is not the peer's any more, the one that should run has no place; nor does
     * it while a backup reads the volume.
     */
    private ReplicaSet rendered(PeerObjects objects, boolean read) {
        ReplicaSet set = PeerReplicaSet.of(objects.peer(), family);
        boolean occupied = objects.pods().stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null && isOwned(pod))
                .anyMatch(pod -> !isOnVolumeOf(objects.peer(), pod));
        if (occupied || read) {
            set.getSpec().setReplicas(0);
        }
        return set;
    }

    private Optional<ClusterObjects> clusterOf(EtcdPeer peer) {
        return cache.cluster(
                new ClusterKey(peer.getMetadata().getNamespace(), peer.getSpec().clusterName()));
    }

    private static boolean isPaused(Optional<ClusterObjects> cluster) {
        return cluster.map(objects ->
                        Boolean.TRUE.equals(objects.cluster().getSpec().paused()))
                .orElse(false);
    }

    private static boolean isRead(EtcdPeer peer, Optional<ClusterObjects> cluster) {
        return cluster.flatMap(objects -> ReadMark.readerOf(peer, objects.backups()))
                .isPresent();
    }

    private void tell(EtcdPeer peer, Notice notice) {
        notice.log(LOG);
        kube.tell(peer, notice);
    }

    /** A peer that no cluster owns was made by hand, or left by a cluster that is gone: no planner stands behind it. */
    private static boolean isRendered(EtcdPeer peer) {
        return peer.getMetadata().getDeletionTimestamp() == null
                && peer.getMetadata().getOwnerReferences().stream()
                        .anyMatch(
                                owner -> HasMetadata.getKind(EtcdCluster.class).equals(owner.getKind()));
    }

    /**
     * A pod of a ReplicaSet that was deleted is on its way out and still has the volume; one that nobody owns is taken
     * up by the next ReplicaSet.
     */
    private static boolean isOwned(Pod pod) {
        return !pod.getMetadata().getOwnerReferences().isEmpty();
    }

    /** One on an old volume, on a node that is away, may be there for long, and is in nobody's way. */
    private static boolean isOnVolumeOf(EtcdPeer peer, Pod pod) {
        return pod.getSpec().getVolumes().stream()
                .map(Volume::getPersistentVolumeClaim)
                .anyMatch(claim -> claim != null
                        && claim.getClaimName().equals(peer.getSpec().claimName()));
    }

    private static boolean isOwnedBy(EtcdPeer peer, ReplicaSet set) {
        return set.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> peer.getMetadata().getUid().equals(owner.getUid()));
    }
}
