package etcdoperator.simulation.world;

import etcdoperator.api.backup.BackupDestination;
import etcdoperator.api.backup.BucketLocation;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSpec;
import etcdoperator.api.backup.EtcdBackupSpec.BackupSource;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.api.backup.EtcdBackupStatus.BackupPhase;
import etcdoperator.simulation.etcd.EtcdProcess;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Backups that are complete at once, for histories in which no agent takes any. */
public final class FakeBackups {
    private final World world;
    private int taken;

    FakeBackups(World world) {
        this.world = world;
    }

    /** Of whoever leads now. */
    public void take(EtcdProcess leader) {
        String name = "backup-%03d".formatted(++taken);
        var snapshot = Snapshots.of(leader.data(), leader.flags().version().toString(), true);
        world.store().put(name, snapshot);
        var backup = new EtcdBackup();
        backup.setMetadata(new ObjectMetaBuilder()
                .withNamespace(World.KEY.namespace())
                .withName(name)
                .build());
        backup.setSpec(new EtcdBackupSpec(
                new BackupSource(World.KEY.name(), List.of(), null),
                new BackupDestination(new BucketLocation("s3://store", name, null, null, null, null), null),
                null,
                null,
                null,
                null,
                null,
                null));
        var now = world.clock().instant().truncatedTo(ChronoUnit.SECONDS);
        backup.setStatus(new EtcdBackupStatus(
                BackupPhase.COMPLETED,
                "file://" + name,
                name,
                snapshot.revision(),
                1L,
                1L,
                snapshot.sha256(),
                snapshot.version(),
                null,
                null,
                null,
                now,
                now,
                List.of()));
        world.server().create(backup);
        world.trace().note("trouble: " + name + " is taken, with " + snapshot.values());
    }
}
