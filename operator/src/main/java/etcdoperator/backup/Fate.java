package etcdoperator.backup;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.backup.BucketLocation;
import etcdoperator.api.backup.ClusterBackupSpec;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.OnDelete;
import etcdoperator.backup.BackupView.Keeping;
import etcdoperator.kube.BackupCache.BackupObjects;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.Owned;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What becomes of a stored backup when its object goes, and how the object says so. Pure. */
final class Fate {
    private final ObjectMeta metadata;
    private final Optional<OnDelete> own;
    private final Optional<EtcdCluster> cluster;
    private final BackupObjects objects;

    Fate(BackupObjects objects) {
        EtcdBackup backup = objects.backup();
        this.objects = objects;
        this.metadata = backup.getMetadata();
        this.own = Optional.ofNullable(backup.getSpec().onDelete());
        this.cluster = objects.cluster()
                .map(ClusterObjects::cluster)
                .filter(there -> there.getMetadata().getDeletionTimestamp() == null)
                .filter(there -> isTakenFrom(there, backup));
    }

    Keeping keeping() {
        boolean held = metadata.getFinalizers().contains(Labels.STORED_BACKUP);
        boolean owned = metadata.getOwnerReferences().stream().anyMatch(Fate::isCluster);
        boolean keptByUser = own.equals(Optional.of(OnDelete.KEEP));
        // Of a cluster that is gone, or going, holds what was written down while it was there.
        boolean withCluster =
                cluster.map(there -> !keptByUser && saysDelete(there)).orElse(owned);
        boolean erase = isExpired()
                || own.map(wish -> wish == OnDelete.DELETE)
                        .orElse(cluster.map(Fate::saysDelete).orElse(held));
        return new Keeping(erase, withCluster, held, owned);
    }

    List<String> finalizers(boolean held) {
        Stream<String> others = metadata.getFinalizers().stream().filter(name -> !name.equals(Labels.STORED_BACKUP));
        return Stream.concat(others, held ? Stream.of(Labels.STORED_BACKUP) : Stream.<String>empty())
                .toList();
    }

    List<OwnerReference> owners(boolean owned) {
        Stream<OwnerReference> others = metadata.getOwnerReferences().stream().filter(owner -> !isCluster(owner));
        Stream<OwnerReference> ours = metadata.getOwnerReferences().stream().filter(Fate::isCluster);
        return Stream.concat(
                        others,
                        owned
                                ? cluster.map(Owned::alongWith).map(Stream::of).orElse(ours)
                                : Stream.<OwnerReference>empty())
                .toList();
    }

    /** A cluster of the same name that was made later has no say in what is kept of the earlier one. */
    private static boolean isTakenFrom(EtcdCluster cluster, EtcdBackup backup) {
        return Optional.ofNullable(backup.getStatus())
                .flatMap(status -> Optional.ofNullable(status.startTime()))
                .flatMap(begun -> Optional.ofNullable(cluster.getMetadata().getCreationTimestamp())
                        .map(made -> !begun.isBefore(Instant.parse(made))))
                .orElse(true);
    }

    /**
     * Who is stored under the same name: a path without a time, or two schedules in one second. What they hold must not
     * go with this one, which may have been overwritten long ago.
     */
    List<String> sharers() {
        return metadata.getDeletionTimestamp() == null
                ? List.of()
                : objects.others().stream()
                        .filter(other -> other.getMetadata().getDeletionTimestamp() == null)
                        .filter(other ->
                                place(other).isPresent() && place(other).equals(place(objects.backup())))
                        .map(other -> other.getMetadata().getName())
                        .sorted()
                        .toList();
    }

    private static Optional<List<String>> place(EtcdBackup backup) {
        String endpoint = Optional.ofNullable(backup.getSpec().destination().bucket())
                .map(BucketLocation::endpoint)
                .orElse("");
        return Optional.ofNullable(backup.getStatus())
                .flatMap(status -> Optional.ofNullable(status.objectURL()))
                .map(url -> List.of(url, endpoint));
    }

    private boolean isExpired() {
        return Optional.ofNullable(metadata.getAnnotations())
                .map(annotations -> annotations.get(Labels.EXPIRED))
                .filter("true"::equals)
                .isPresent();
    }

    private static boolean saysDelete(EtcdCluster cluster) {
        return Optional.ofNullable(cluster.getSpec().backup())
                .map(ClusterBackupSpec::onDelete)
                .filter(wish -> wish == OnDelete.DELETE)
                .isPresent();
    }

    private static boolean isCluster(OwnerReference owner) {
        return HasMetadata.getKind(EtcdCluster.class).equals(owner.getKind());
    }
}
