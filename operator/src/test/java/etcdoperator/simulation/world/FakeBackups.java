package etcdoperator.simulation.world;

import etcdoperator.api.backup.BackupDestination;
import etcdoperator.api.backup.BucketLocation;
import etcdoperator.api.backup.BucketLocation.AwsCredentials;
import etcdoperator.api.backup.BucketLocation.Credentials;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSpec;
import etcdoperator.api.backup.EtcdBackupSpec.BackupSource;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.api.backup.EtcdBackupStatus.BackupPhase;
import etcdoperator.simulation.etcd.EtcdProcess;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A store, and what is in it of the cluster. */
public final class FakeBackups {
    private final World world;
    private final Map<String, List<Integer>> stored = new HashMap<>();

    FakeBackups(World world) {
        this.world = world;
    }

    /** Some are fetched by a pod with an identity, and so by a Job of their own. */
    private static @Nullable Credentials credentials(int number) {
        return number % 2 == 0
                ? new Credentials(new AwsCredentials(new LocalObjectReference("keys")), null, null)
                : null;
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
                new BackupDestination(
                        new BucketLocation("s3://store", name, null, null, null, credentials(stored.size())), null),
                null,
                null,
                null,
                stored.size() % 3 == 0 ? "backups" : null,
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
                null,
                List.of()));
        world.server().create(backup);
        world.trace().note("trouble: " + name + " is taken, with " + values);
    }
}
