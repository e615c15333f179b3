package etcdoperator.simulation.kube;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimVolumeSource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Kubernetes objects as values: nothing that was stored is ever changed in place. */
public final class Objects {
    private Objects() {}

    /** The same object with other metadata. */
    public static <T extends HasMetadata> T with(T object, ObjectMeta metadata) {
        T copy = copy(object);
        copy.setMetadata(metadata);
        return copy;
    }

    @SuppressWarnings("unchecked")
    public static <T extends HasMetadata> T copy(T object) {
        return (T)
                switch (object) {
                    case EtcdCluster cluster -> {
                        var copy = new EtcdCluster();
                        copy.setMetadata(cluster.getMetadata());
                        copy.setSpec(cluster.getSpec());
                        copy.setStatus(cluster.getStatus());
                        yield copy;
                    }
                    case EtcdPeer peer -> {
                        var copy = new EtcdPeer();
                        copy.setMetadata(peer.getMetadata());
                        copy.setSpec(peer.getSpec());
                        copy.setStatus(peer.getStatus());
                        yield copy;
                    }
                    case EtcdRestore restore -> {
                        var copy = new EtcdRestore();
                        copy.setMetadata(restore.getMetadata());
                        copy.setSpec(restore.getSpec());
                        copy.setStatus(restore.getStatus());
                        yield copy;
                    }
                    case EtcdBackup backup -> {
                        var copy = new EtcdBackup();
                        copy.setMetadata(backup.getMetadata());
                        copy.setSpec(backup.getSpec());
                        copy.setStatus(backup.getStatus());
                        yield copy;
                    }
                    case EtcdBackupSchedule schedule -> {
                        var copy = new EtcdBackupSchedule();
                        copy.setMetadata(schedule.getMetadata());
                        copy.setSpec(schedule.getSpec());
                        copy.setStatus(schedule.getStatus());
                        yield copy;
                    }
                    case Job j -> new Job(j.getApiVersion(), j.getKind(), j.getMetadata(), j.getSpec(), j.getStatus());
                    case PersistentVolumeClaim c ->
                        new PersistentVolumeClaim(
                                c.getApiVersion(), c.getKind(), c.getMetadata(), c.getSpec(), c.getStatus());
                    case ReplicaSet s ->
                        new ReplicaSet(s.getApiVersion(), s.getKind(), s.getMetadata(), s.getSpec(), s.getStatus());
                    case Pod p -> new Pod(p.getApiVersion(), p.getKind(), p.getMetadata(), p.getSpec(), p.getStatus());
                    case Service s ->
                        new Service(s.getApiVersion(), s.getKind(), s.getMetadata(), s.getSpec(), s.getStatus());
                    case PodDisruptionBudget b ->
                        new PodDisruptionBudget(
                                b.getApiVersion(), b.getKind(), b.getMetadata(), b.getSpec(), b.getStatus());
                    case NetworkPolicy p ->
                        new NetworkPolicy(p.getApiVersion(), p.getKind(), p.getMetadata(), p.getSpec());
                    case Secret s ->
                        new Secret(
                                s.getApiVersion(),
                                s.getData(),
                                s.getImmutable(),
                                s.getKind(),
                                s.getMetadata(),
                                s.getStringData(),
                                s.getType());
                    case Node n ->
                        new Node(n.getApiVersion(), n.getKind(), n.getMetadata(), n.getSpec(), n.getStatus());
                    default -> throw new IllegalArgumentException("no such kind: " + object.getKind());
                };
    }

    public static Optional<String> controllerUid(HasMetadata object) {
        return object.getMetadata().getOwnerReferences().stream()
                .filter(owner -> Boolean.TRUE.equals(owner.getController()))
                .map(OwnerReference::getUid)
                .findFirst();
    }

    public static boolean isDeleting(HasMetadata object) {
        return object.getMetadata().getDeletionTimestamp() != null;
    }

    public static String claimOf(Pod pod) {
        return claimOf(pod.getSpec());
    }

    /** The first of them: a member has no other. */
    public static String claimOf(PodSpec spec) {
        return claimsOf(spec).getFirst();
    }

    public static List<String> claimsOf(PodSpec spec) {
        return spec.getVolumes().stream()
                .flatMap(volume -> Stream.ofNullable(volume.getPersistentVolumeClaim()))
                .map(PersistentVolumeClaimVolumeSource::getClaimName)
                .toList();
    }

    public static boolean uses(Pod pod, PersistentVolumeClaim claim) {
        return claimsOf(pod.getSpec()).contains(claim.getMetadata().getName());
    }

    /** Whether it does something for a backup, a drill or a restore, and is no member. */
    public static boolean isAgent(Pod pod) {
        var labels = pod.getMetadata().getLabels();
        return labels.containsKey(Labels.RESTORE)
                || labels.containsKey(Labels.BACKUP)
                || labels.containsKey(Labels.DRILL);
    }

    public static String describe(HasMetadata object) {
        return object.getKind() + " " + object.getMetadata().getName();
    }
}
