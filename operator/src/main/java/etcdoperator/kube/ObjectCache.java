package etcdoperator.kube;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.KubeCache.PeerKey;
import java.util.Optional;

/** Single objects as the caches have them, without the objects that belong to them. */
public interface ObjectCache {
    Optional<EtcdCluster> cluster(ClusterKey key);

    Optional<EtcdPeer> peer(PeerKey key);

    Optional<EtcdBackup> backup(ObjectKey key);

    Optional<EtcdBackupSchedule> schedule(ObjectKey key);

    Optional<EtcdRestore> restore(ObjectKey key);
}
