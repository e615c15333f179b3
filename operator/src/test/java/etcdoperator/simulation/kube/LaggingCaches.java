package etcdoperator.simulation.kube;

import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.domain.ClusterKey;
import etcdoperator.kube.fabric.RecentWrites;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** All caches of one operator. */
public final class LaggingCaches {
    private final LaggingCache clusters;
    private final LaggingBackups backups;
    private final LaggingRestores restores;

    public LaggingCaches(
            FakeApiServer server, FakeDisks disks, RecentWrites recent, Consumer<HasMetadata> changed) {
        this.clusters = new LaggingCache(server, recent, disks, this::neighbours, changed);
        this.backups = new LaggingBackups(server, recent, clusters, changed);
        this.restores = new LaggingRestores(
                server, recent, clusters::namesakes, () -> backups.all(EtcdBackup.class), changed);
    }

    public LaggingCache clusters() {
        return clusters;
    }

    public LaggingBackups backups() {
        return backups;
    }

    public LaggingRestores restores() {
        return restores;
    }

    public List<Watches> watches() {
        return Stream.concat(
                        Stream.of(clusters.watches(), restores.watches()), backups.watches().stream())
                .toList();
    }

    private LaggingCache.Neighbours neighbours(ClusterKey key) {
        return new LaggingCache.Neighbours(backups.of(key), restores.recoveriesOf(key));
    }
}
