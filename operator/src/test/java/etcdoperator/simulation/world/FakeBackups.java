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
import etcdoperator.domain.ClusterId;
import etcdoperator.simulation.etcd.EtcdProcess;
import etcdoperator.simulation.etcd.FakeEtcdClient;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.replay.Dice;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A store, and what is in it of the cluster. Some backups take long, so that others are taken and complete meanwhile. */
public final class FakeBackups {
    private final World world;
    private final Dice dice;
    private final Map<String, Stored> stored = new LinkedHashMap<>();

    FakeBackups(World world, Dice dice) {
        this.world = world;
        this.dice = dice;
    }

    /** Some are fetched by a pod with an identity, and so by a Job of their own. */
    private static @Nullable Credentials credentials(int number) {
        return number % 2 == 0
                ? new Credentials(new AwsCredentials(new LocalObjectReference("keys")), null, null)
                : null;
    }

    /** @param recordsId whether its EtcdBackup does, as one of an earlier version does not */
    public record Stored(ClusterId id, long revision, List<Integer> values, boolean recordsId) {}

    Optional<List<Integer>> of(String name) {
        return Optional.ofNullable(stored.get(name)).map(Stored::values);
    }

    public Optional<Stored> stored(String name) {
        return Optional.ofNullable(stored.get(name));
    }

    /** Of those that are complete and record an etcd cluster, the highest revision of this one. */
    public Optional<Long> furthest(ClusterId id) {
        return stored.entrySet().stream()
                .filter(backup ->
                        backup.getValue().recordsId() && backup.getValue().id().equals(id))
                .filter(backup -> isComplete(backup.getKey()))
                .map(backup -> backup.getValue().revision())
                .max(Comparator.naturalOrder());
    }

    private boolean isComplete(String name) {
        return world.server()
                .get(EtcdBackup.class, name)
                .filter(FakeBackups::isComplete)
                .isPresent();
    }

    public static boolean isComplete(EtcdBackup backup) {
        return backup.getStatus() != null && backup.getStatus().phase() == BackupPhase.COMPLETED;
    }

    /** One that still runs ends, or another one is taken of what leads now. */
    public void happen(EtcdProcess leader) {
        Optional<EtcdBackup> running = dice.pick(world.server().list(EtcdBackup.class).stream()
                .filter(backup -> !isComplete(backup))
                .toList());
        if (running.isPresent() && dice.oneIn(2)) {
            complete(running.get());
        } else {
            take(leader, dice.oneIn(3));
        }
    }

    /** A backup is begun, another one is taken after some writes, and the first one is completed after it. */
    public void overlap(EtcdProcess leader, Runnable writes) {
        String first = take(leader, true);
        writes.run();
        take(leader, false);
        world.clock().advance(Duration.ofSeconds(2));
        world.server().get(EtcdBackup.class, first).ifPresent(this::complete);
    }

    /** Nothing is left running. */
    public void completeAll() {
        world.server().list(EtcdBackup.class).stream()
                .filter(backup -> !isComplete(backup))
                .forEach(this::complete);
    }

    private void complete(EtcdBackup backup) {
        world.trace().note("trouble: " + Objects.describe(backup) + " is complete");
        EtcdBackupStatus begun = backup.getStatus();
        Stored snapshot = stored.get(backup.getMetadata().getName());
        EtcdBackupStatus complete = status(backup.getMetadata().getName(), snapshot, begun.startTime(), true);
        world.server().change(backup, changed -> {
            changed.setStatus(complete);
            return changed;
        });
    }

    /** Of the member that leads now. */
    public void take(EtcdProcess leader) {
        var _ = take(leader, false);
    }

    private String take(EtcdProcess leader, boolean takesLong) {
        String name = "backup-%03d".formatted(stored.size() + 1);
        List<Integer> values = leader.data().writes().stream().sorted().toList();
        var snapshot = new Stored(leader.data().clusterId(), leader.data().revision(), values, !dice.oneIn(6));
        stored.put(name, snapshot);
        var backup = new EtcdBackup();
        backup.setMetadata(new ObjectMetaBuilder()
                .withNamespace(World.KEY.namespace())
                .withName(name)
                .build());
        backup.setSpec(new EtcdBackupSpec(
                BackupSource.ofCluster(World.KEY.name()),
                new BackupDestination(
                        new BucketLocation("s3://store", name, null, null, null, credentials(stored.size())), null),
                null,
                null,
                null,
                stored.size() % 3 == 0 ? "backups" : null,
                null,
                null));
        backup.setStatus(status(name, snapshot, now(), !takesLong));
        world.server().create(backup);
        world.trace().note("trouble: " + name + (takesLong ? " begins, with " : " is taken, with ") + values);
        return name;
    }

    private EtcdBackupStatus status(String name, Stored snapshot, Instant begun, boolean complete) {
        return new EtcdBackupStatus(
                complete ? BackupPhase.COMPLETED : BackupPhase.RUNNING,
                complete ? "file://" + name : null,
                complete ? name : null,
                snapshot.revision(),
                snapshot.recordsId() ? snapshot.id().toString() : null,
                snapshot.recordsId() ? begun : null,
                1L,
                1L,
                "sum",
                FakeEtcdClient.VERSION,
                null,
                null,
                null,
                begun,
                complete ? now() : null,
                null,
                List.of());
    }

    private Instant now() {
        return world.clock().instant().truncatedTo(ChronoUnit.SECONDS);
    }
}
