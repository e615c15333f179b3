package etcdoperator.simulation.kube;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.KubeCache.PeerKey;
import etcdoperator.kube.KubeCache.PeerObjects;
import etcdoperator.kube.ObjectCache;
import java.util.Optional;

/** Single objects as the lagging caches have them. Nothing in the simulation passes over backups and schedules. */
public record LaggingObjects(LaggingCache clusters, LaggingRestores restores) implements ObjectCache {
    @Override
    public Optional<EtcdCluster> cluster(ClusterKey key) {
        return clusters.clusterAlone(key);
    }

    @Override
    public Optional<EtcdPeer> peer(PeerKey key) {
        return clusters.peer(key).map(PeerObjects::peer);
    }

    @Override
    public Optional<EtcdBackup> backup(ObjectKey key) {
        return Optional.empty();
    }

    @Override
    public Optional<EtcdBackupSchedule> schedule(ObjectKey key) {
        return Optional.empty();
    }

    @Override
    public Optional<EtcdRestore> restore(ObjectKey key) {
        return restores.restoreAlone(key);
    }
}
