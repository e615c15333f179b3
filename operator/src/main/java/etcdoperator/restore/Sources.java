package etcdoperator.restore;

import etcdoperator.api.EtcdRestoreSpec.RestoreSource;
import etcdoperator.api.EtcdRestoreStatus.ChosenBackup;
import etcdoperator.api.backup.BackupDestination;
import etcdoperator.api.backup.BucketLocation;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.api.backup.EtcdBackupStatus.BackupPhase;
import etcdoperator.api.backup.VolumeLocation;
import etcdoperator.manifest.StoreKit;
import etcdoperator.restore.RestoreView.BackupView;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which backup a restore means. */
final class Sources {
    private Sources() {}

    /** Which one, if an agent may log in where it is. */
    static Step choose(RestoreView view) {
        Step choice = choice(view);
        return choice instanceof Step.Choose(var chosen, var reason)
                ? forbidden(chosen, view).orElse(choice)
                : choice;
    }

    /** A restore that a former version of the operator began may log in where this one lets none. */
    static Optional<Step> forbidden(RestoreView view) {
        return Optional.ofNullable(view.status().chosen()).flatMap(chosen -> forbidden(chosen, view));
    }

    private static Optional<Step> forbidden(ChosenBackup chosen, RestoreView view) {
        return Optional.ofNullable(chosen.location())
                .flatMap(location -> StoreKit.obstacle(location, view.endpoints()))
                .map(Step.Fail::new);
    }

    private static Step choice(RestoreView view) {
        RestoreSource source = view.spec().source();
        if (source.backup() != null) {
            return named(view, source.backup());
        }
        if (source.schedule() != null) {
            return ofSchedule(view, source.schedule(), source.at());
        }
        return new Step.Choose(
                new ChosenBackup(
                        null,
                        new BackupDestination(source.bucket(), source.volume()),
                        source.encryption(),
                        view.spec().serviceAccountName(),
                        null,
                        null,
                        null),
                "Restoring " + told(source));
    }

    private static String told(RestoreSource source) {
        BucketLocation bucket = source.bucket();
        VolumeLocation volume = source.volume();
        if (bucket != null) {
            return "object %s of %s".formatted(bucket.objectPath(), bucket.bucketURL());
        }
        return volume == null ? "nothing" : "file %s of claim %s".formatted(volume.path(), volume.claimName());
    }

    private static Step named(RestoreView view, String name) {
        Optional<BackupView> found = view.backups().stream()
                .filter(backup -> backup.name().equals(name))
                .findFirst();
        if (found.isEmpty()) {
            return new Step.Fail(
                    "EtcdBackup %s does not exist in this namespace; name one that does, or say where its object is with source.bucket"
                            .formatted(name));
        }
        BackupPhase phase = found.get()
                .status()
                .flatMap(status -> Optional.ofNullable(status.phase()))
                .orElse(BackupPhase.PENDING);
        return switch (phase) {
            case COMPLETED -> chosen(view, found.get());
            case FAILED ->
                new Step.Fail(
                        "EtcdBackup %s has failed, so there is nothing to restore; name another one".formatted(name));
            case PENDING, RUNNING -> new Step.Wait("Waiting for EtcdBackup %s to complete".formatted(name));
        };
    }

    private static Step ofSchedule(RestoreView view, String schedule, @Nullable String at) {
        Optional<Instant> latest;
        try {
            latest = Optional.ofNullable(at).map(OffsetDateTime::parse).map(OffsetDateTime::toInstant);
        } catch (DateTimeParseException e) {
            return new Step.Fail("There is no such time as %s in source.at; correct it".formatted(at));
        }
        return view.backups().stream()
                .filter(backup -> backup.schedule().equals(Optional.of(schedule)) && isCompleted(backup))
                .filter(backup -> latest.isEmpty() || !takenAt(backup).isAfter(latest.get()))
                .max(Comparator.comparing(Sources::takenAt).thenComparing(BackupView::name))
                .map(newest -> chosen(view, newest))
                .orElseGet(() ->
                        new Step.Fail("EtcdBackupSchedule %s has no completed EtcdBackup%s; choose another source"
                                .formatted(
                                        schedule,
                                        latest.map(" that was taken not after %s"::formatted)
                                                .orElse(""))));
    }

    private static boolean isCompleted(BackupView backup) {
        return backup.status()
                .filter(status -> status.phase() == BackupPhase.COMPLETED)
                .isPresent();
    }

    /** When it began: nothing that was written later is sure to be in it. */
    private static Instant takenAt(BackupView backup) {
        return backup.status()
                .flatMap(status ->
                        Optional.ofNullable(status.startTime()).or(() -> Optional.ofNullable(status.completionTime())))
                .orElse(Instant.MIN);
    }

    private static Step chosen(RestoreView view, BackupView backup) {
        EtcdBackupStatus status = backup.status().orElseThrow();
        return Optional.ofNullable(status.path())
                .<Step>map(path -> new Step.Choose(
                        new ChosenBackup(
                                backup.name(),
                                located(backup.spec().destination(), path),
                                backup.spec().encryption(),
                                Optional.ofNullable(view.spec().serviceAccountName())
                                        .orElse(backup.spec().serviceAccountName()),
                                status.sha256(),
                                status.etcdVersion(),
                                null),
                        "Restoring EtcdBackup " + backup.name()))
                .orElseGet(() -> new Step.Fail(
                        "EtcdBackup %s does not say where in its store it is; say it with source.bucket or source.volume"
                                .formatted(backup.name())));
    }

    /** The spec has a path with blanks, and the status what was filled in. */
    private static BackupDestination located(BackupDestination asked, String path) {
        BucketLocation bucket = asked.bucket();
        VolumeLocation volume = asked.volume();
        return new BackupDestination(
                bucket == null
                        ? null
                        : new BucketLocation(
                                bucket.bucketURL(),
                                path,
                                bucket.endpoint(),
                                bucket.region(),
                                bucket.pathStyle(),
                                bucket.credentials()),
                volume == null ? null : new VolumeLocation(volume.claimName(), path));
    }
}
