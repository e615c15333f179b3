package etcdoperator.simulation.trouble;

import etcdoperator.api.backup.BackupDestination;
import etcdoperator.api.backup.BucketLocation;
import etcdoperator.api.backup.DrillSpec;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.api.backup.EtcdBackupScheduleSpec;
import etcdoperator.api.backup.EtcdBackupScheduleSpec.ConcurrencyPolicy;
import etcdoperator.api.backup.EtcdBackupSpec;
import etcdoperator.api.backup.EtcdBackupSpec.BackupSource;
import etcdoperator.api.backup.OnDelete;
import etcdoperator.api.backup.RetentionSpec;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.kube.ServerSideApply;
import etcdoperator.simulation.replay.Dice;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Users with schedules and backups, and what befalls the agents of these. */
public final class BackupTroubles {
    private static final String SCHEDULE = "often";
    private static final String EVERY_MINUTE = "* * * * *";
    private static final String NOT_FOR_YEARS = "0 0 29 2 *";

    private final World world;
    private final Dice dice;
    private int made;

    BackupTroubles(World world, Dice dice) {
        this.world = world;
        this.dice = dice;
    }

    void happen() {
        switch (dice.below(26)) {
            case 0, 1, 2, 3 -> schedule();
            case 4, 5, 6, 7, 8 -> takeByHand();
            case 9, 10 -> annotateSchedule(Labels.BACKUP_NOW);
            case 11 -> annotateSchedule(Labels.DRILL_NOW);
            case 12, 13 -> dice.pick(world.server().list(EtcdBackup.class)).ifPresent(this::pin);
            case 14, 15 -> dice.pick(world.server().list(EtcdBackup.class)).ifPresent(this::delete);
            case 16, 17 -> dice.pick(world.server().list(Job.class)).ifPresent(this::delete);
            case 18, 19 ->
                dice.pick(world.server().list(Pod.class).stream()
                                .filter(Objects::isAgent)
                                .toList())
                        .ifPresent(this::delete);
            case 20 -> changeSchedule("keeps other backups", spec -> with(spec, retention(), spec.suspend()));
            case 21 ->
                changeSchedule(
                        "is suspended, or resumed",
                        spec -> with(spec, spec.retention(), !Boolean.TRUE.equals(spec.suspend())));
            case 22 -> found().ifPresent(this::delete);
            default -> passTheMinute();
        }
    }

    /** Nothing is due for years, so that all can come to rest. */
    void end() {
        boolean suspend = dice.oneIn(2);
        changeSchedule("becomes rare", spec -> timed(with(spec, spec.retention(), suspend), NOT_FOR_YEARS));
    }

    private Optional<EtcdBackupSchedule> found() {
        return world.server().get(EtcdBackupSchedule.class, SCHEDULE);
    }

    private void schedule() {
        if (found().isPresent()) {
            changeSchedule("is often again", spec -> timed(with(spec, spec.retention(), null), EVERY_MINUTE));
            return;
        }
        note("somebody makes a schedule");
        var schedule = new EtcdBackupSchedule();
        schedule.setMetadata(new ObjectMetaBuilder()
                .withNamespace(World.KEY.namespace())
                .withName(SCHEDULE)
                .build());
        schedule.setSpec(new EtcdBackupScheduleSpec(
                EVERY_MINUTE,
                null,
                null,
                dice.pick(Arrays.asList(ConcurrencyPolicy.values())).orElseThrow(),
                null,
                template(),
                retention(),
                dice.oneIn(2) ? new DrillSpec("*/2 * * * *", null, null, null) : null));
        world.server().create(schedule);
    }

    /** None keeps everything. */
    private @Nullable RetentionSpec retention() {
        return switch (dice.below(4)) {
            case 0 -> null;
            case 1 -> new RetentionSpec(1, null, null, null, null, null, null);
            case 2 -> new RetentionSpec(2, null, null, null, null, null, null);
            default -> new RetentionSpec(null, null, null, null, null, "1m", null);
        };
    }

    private EtcdBackupSpec template() {
        return new EtcdBackupSpec(
                new BackupSource(World.KEY.name(), List.of(), null),
                new BackupDestination(new BucketLocation("s3://store", null, null, null, null, null), null),
                null,
                null,
                onDelete(),
                null,
                null,
                dice.oneIn(4) ? "30s" : null);
    }

    /** None leaves it to the cluster. */
    private @Nullable OnDelete onDelete() {
        return switch (dice.below(3)) {
            case 0 -> null;
            case 1 -> OnDelete.KEEP;
            default -> OnDelete.DELETE;
        };
    }

    /** As people do when they are about to change something. */
    void takeByHand() {
        var backup = new EtcdBackup();
        backup.setMetadata(new ObjectMetaBuilder()
                .withNamespace(World.KEY.namespace())
                .withName("hand-%03d".formatted(++made))
                .build());
        backup.setSpec(template());
        note("somebody makes " + Objects.describe(backup));
        world.server().create(backup);
    }

    private void annotateSchedule(String wish) {
        found().ifPresent(schedule -> annotate(schedule, Map.of(wish, "wish-" + ++made)));
    }

    private void pin(EtcdBackup backup) {
        annotate(backup, Map.of(Labels.PINNED, dice.oneIn(3) ? "false" : "true"));
    }

    private void annotate(HasMetadata object, Map<String, String> annotations) {
        note(Objects.describe(object) + " gets " + annotations);
        world.server().change(object, changed -> {
            changed.getMetadata()
                    .setAnnotations(
                            ServerSideApply.merged(object.getMetadata().getAnnotations(), annotations));
            return changed;
        });
    }

    private void changeSchedule(String how, UnaryOperator<EtcdBackupScheduleSpec> change) {
        found().ifPresent(schedule -> {
            note("the schedule " + how);
            world.server().change(schedule, changed -> {
                changed.setSpec(change.apply(schedule.getSpec()));
                changed.getMetadata()
                        .setGeneration(schedule.getMetadata().getGeneration() + 1);
                return changed;
            });
        });
    }

    private static EtcdBackupScheduleSpec with(
            EtcdBackupScheduleSpec spec, @Nullable RetentionSpec retention, @Nullable Boolean suspend) {
        return new EtcdBackupScheduleSpec(
                spec.schedule(),
                spec.timeZone(),
                suspend,
                spec.concurrencyPolicy(),
                spec.startingDeadline(),
                spec.backupTemplate(),
                retention,
                spec.drill());
    }

    private static EtcdBackupScheduleSpec timed(EtcdBackupScheduleSpec spec, String crontab) {
        return new EtcdBackupScheduleSpec(
                crontab,
                spec.timeZone(),
                spec.suspend(),
                spec.concurrencyPolicy(),
                spec.startingDeadline(),
                spec.backupTemplate(),
                spec.retention(),
                Optional.ofNullable(spec.drill())
                        .map(drill -> new DrillSpec(crontab, null, null, null))
                        .orElse(null));
    }

    private void passTheMinute() {
        var now = world.clock().instant();
        world.clock()
                .advance(Duration.between(
                        now, now.truncatedTo(ChronoUnit.MINUTES).plus(Duration.ofMinutes(1))));
    }

    private void delete(HasMetadata object) {
        note("delete " + Objects.describe(object));
        world.controllers().delete(object);
    }

    private void note(String line) {
        world.trace().note("trouble: " + line);
    }
}
