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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A store, and what is in it of the cluster. */
public final class FakeBackups {
    private final World world;
    private final Map<String, List<Integer>> stored = new HashMap<>();

    FakeBackups(World world) {
        this.world = world;
    }

    Optional<List<Integer>> of(String name) {
        return Optional.ofNullable(stored.get(name));
    }

    /** Of whoever leads now. */
    public void take(EtcdProcess leader) {
        String name = "backup-%03d".formatted(stored.size() + 1);
        List<Integer> values = leader.data().writes().stream().sorted().toList();
        stored.put(name, values);
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
                leader.data().revision(),
                1L,
                1L,
                "sum",
                leader.flags().version().toString(),
                null,
                null,
                null,
                now,
                now,
                List.of()));
        world.server().create(backup);
        world.trace().note("trouble: " + name + " is taken, with " + values);
    }
}
