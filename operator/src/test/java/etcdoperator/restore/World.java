package etcdoperator.restore;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.RestoreCache;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.kube.WrittenDown;
import etcdoperator.simulation.world.FakeNamespace;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A namespace with a restore in it. */
final class World implements RestoreCache {
    static final String NAMESPACE = "ns";

    private final FakeNamespace namespace = new FakeNamespace(Others.CLOCK.instant());
    private final Set<String> lostVolumes = new HashSet<>();

    WrittenDown kube() {
        return namespace.kube();
    }

    /** A node that alone had the volume of a claim is gone. */
    void loseVolume(String claim) {
        lostVolumes.add(claim);
    }

    List<String> writes() {
        return kube().writes();
    }

    <T extends HasMetadata> T put(T object) {
        return namespace.put(object);
    }

    void remove(HasMetadata object) {
        namespace.remove(object);
    }

    <T extends HasMetadata> Optional<T> get(Class<T> type, String name) {
        return namespace.get(type, name);
    }

    <T extends HasMetadata> List<T> all(Class<T> type) {
        return namespace.all(type);
    }

    @Override
    public List<PersistentVolumeClaim> claimsOf(ObjectKey restore) {
        return namespace.labelled(PersistentVolumeClaim.class, Labels.RESTORE, restore.name());
    }

    @Override
    public Optional<RestoreObjects> restore(ObjectKey key) {
        return get(EtcdRestore.class, key.name()).map(restore -> {
            String cluster = restore.getSpec().clusterTemplate().clusterName();
            return new RestoreObjects(
                    restore,
                    all(EtcdRestore.class).stream()
                            .filter(other -> !other.getMetadata().getName().equals(key.name()))
                            .toList(),
                    all(EtcdBackup.class),
                    new Namesakes(
                            get(EtcdCluster.class, cluster),
                            namespace.labelled(EtcdPeer.class, Labels.CLUSTER, cluster),
                            namespace.labelled(Pod.class, Labels.CLUSTER, cluster),
                            namespace.labelled(PersistentVolumeClaim.class, Labels.CLUSTER, cluster),
                            lostVolumes),
                    namespace.labelled(PersistentVolumeClaim.class, Labels.RESTORE, key.name()),
                    namespace.labelled(Job.class, Labels.RESTORE, key.name()),
                    namespace.labelled(Pod.class, Labels.RESTORE, key.name()));
        });
    }
}
