package etcdoperator.manifest;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.backup.DrillSpec;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The claim of a restore test whose backup is fetched by a Job of its own: the one thing that both pods see. It is named
 * after the drill, carries no cluster's name, and is deleted when the drill is over.
 */
public final class DrillClaims {
    /** The snapshot, what etcdutl makes of it, and what a file system and a full database need besides. */
    private static final long COPIES = 3;

    private static final long MEBIBYTE = 1L << 20;
    private static final long HEADROOM = 512 * MEBIBYTE;
    private static final Quantity UNKNOWN = new Quantity("10Gi");

    private DrillClaims() {}

    /** @param cluster the one that the backup is of, if it is there: its storage class is good enough for a test */
    public static PersistentVolumeClaim of(
            EtcdBackupSchedule schedule, String drill, EtcdBackup backup, Optional<EtcdCluster> cluster) {
        Optional<PersistentVolumeClaimSpec> template =
                cluster.map(one -> one.getSpec().storage().volumeClaimTemplate());
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withNamespace(schedule.getMetadata().getNamespace())
                .withName(drill)
                .withLabels(Labels.ofDrillClaim(schedule.getMetadata().getName()))
                .withOwnerReferences(Owned.by(schedule))
                .endMetadata()
                .withNewSpec()
                .withAccessModes(template.map(PersistentVolumeClaimSpec::getAccessModes)
                        .filter(modes -> !modes.isEmpty())
                        .orElse(List.of("ReadWriteOnce")))
                .withStorageClassName(template.map(PersistentVolumeClaimSpec::getStorageClassName)
                        .orElse(null))
                .withNewResources()
                .withRequests(Map.of("storage", size(schedule, backup, cluster)))
                .endResources()
                .endSpec()
                .build();
    }

    private static Quantity size(EtcdBackupSchedule schedule, EtcdBackup backup, Optional<EtcdCluster> cluster) {
        return Optional.ofNullable(schedule.getSpec().drill())
                .map(DrillSpec::storage)
                .map(Quantity::new)
                .or(() -> Optional.ofNullable(backup.getStatus().sizeBytes()).map(DrillClaims::withHeadroom))
                .or(() -> cluster.map(Claims::storage))
                .orElse(UNKNOWN);
    }

    private static Quantity withHeadroom(long snapshot) {
        return new Quantity(Math.ceilDiv(COPIES * snapshot + HEADROOM, MEBIBYTE) + "Mi");
    }
}
