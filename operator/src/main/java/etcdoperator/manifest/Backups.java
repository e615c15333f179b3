package etcdoperator.manifest;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.backup.ClusterBackupSpec;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSpec;
import etcdoperator.api.backup.EtcdBackupSpec.BackupSource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Backups that the operator takes on its own account. Nobody owns them: they outlive the cluster. */
public final class Backups {
    private Backups() {}

    /** One to go back to, should the change to another version go wrong. */
    public static EtcdBackup before(EtcdCluster cluster, String name, String version) {
        return taken(cluster, name, Map.of(Labels.BEFORE, version));
    }

    /** Of a cluster that has lost most voters, before what is left is touched. */
    public static EtcdBackup ofRemains(EtcdCluster cluster, String name) {
        return taken(cluster, name, Map.of());
    }

    private static EtcdBackup taken(EtcdCluster cluster, String name, Map<String, String> annotations) {
        ClusterBackupSpec wish = Objects.requireNonNull(cluster.getSpec().backup());
        var backup = new EtcdBackup();
        backup.setMetadata(new ObjectMetaBuilder()
                .withNamespace(cluster.getMetadata().getNamespace())
                .withName(name)
                .withAnnotations(annotations)
                .build());
        backup.setSpec(new EtcdBackupSpec(
                new BackupSource(cluster.getMetadata().getName(), List.of(), null),
                wish.destination(),
                wish.compression(),
                wish.encryption(),
                null,
                wish.serviceAccountName(),
                null,
                null));
        return backup;
    }

    public static boolean isExpired(EtcdBackup backup) {
        return "true".equals(backup.getMetadata().getAnnotations().get(Labels.EXPIRED));
    }

    public static Map<String, String> expired() {
        return Map.of(Labels.EXPIRED, "true");
    }
}
