package etcdoperator.simulation.rules;

import etcdoperator.api.EtcdRestore;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.api.backup.EtcdBackupScheduleSpec;
import etcdoperator.api.backup.EtcdBackupScheduleSpec.ConcurrencyPolicy;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.api.backup.EtcdBackupStatus.BackupPhase;
import etcdoperator.api.backup.RetentionSpec;
import etcdoperator.domain.TimeSpan;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.kube.OperatorProcess;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a schedule may start and let go, judged by what its operator had the chance to see. */
final class ScheduleRules {
    private final World world;
    private final Rules rules;

    ScheduleRules(World world, Rules rules) {
        this.world = world;
        this.rules = rules;
    }

    /** An operator makes a backup. */
    void begun(EtcdBackup backup, OperatorProcess operator) {
        Optional<EtcdBackupScheduleSpec> spec = schedule(backup).map(EtcdBackupSchedule::getSpec);
        if (spec.isEmpty()
                || spec.get().concurrencyPolicy() == ConcurrencyPolicy.ALLOW
                || isBehind(operator, EtcdBackup.class, EtcdBackupSchedule.class)) {
            return;
        }
        siblings(backup)
                .filter(other -> ended(other).isEmpty() && !Objects.isDeleting(other))
                .findFirst()
                .ifPresent(other -> rules.broken(
                        Invariant.BACKUPS_OF_A_SCHEDULE_RUN_ONE_BY_ONE,
                        "%s begins beside %s, and the policy is %s"
                                .formatted(
                                        Objects.describe(backup),
                                        Objects.describe(other),
                                        spec.get().concurrencyPolicy())));
    }

    /** An operator deletes a backup. */
    void deleted(EtcdBackup backup, OperatorProcess operator) {
        if (isBehind(operator, EtcdBackup.class, EtcdBackupSchedule.class, EtcdRestore.class)) {
            return;
        }
        Optional<EtcdBackupScheduleSpec> spec = schedule(backup).map(EtcdBackupSchedule::getSpec);
        wrong(backup, spec)
                .ifPresent(why -> rules.broken(
                        Invariant.RETENTION_KEEPS_WHAT_IT_MUST,
                        "%s is deleted: %s".formatted(Objects.describe(backup), why)));
    }

    private Optional<String> wrong(EtcdBackup backup, Optional<EtcdBackupScheduleSpec> spec) {
        if (spec.isEmpty()) {
            return Optional.of("no schedule has it");
        }
        if (ended(backup).isEmpty()) {
            return spec.get().concurrencyPolicy() == ConcurrencyPolicy.REPLACE
                    ? Optional.empty()
                    : Optional.of("it is under way");
        }
        if (isPinned(backup)) {
            return Optional.of("it is pinned");
        }
        if (isInUse(backup)) {
            return Optional.of("a restore uses it");
        }
        return isGood(backup) ? wronglyExpired(backup, spec.get().retention()) : Optional.empty();
    }

    private Optional<String> wronglyExpired(EtcdBackup backup, RetentionSpec retention) {
        Instant completed = ended(backup).orElseThrow();
        long newer = siblings(backup)
                .filter(other -> isGood(other) && !Objects.isDeleting(other))
                .filter(other -> isNewer(other, backup))
                .count();
        if (newer == 0) {
            return Optional.of("it is the newest");
        }
        if (retention == null) {
            return Optional.of("all are kept");
        }
        boolean old = Optional.ofNullable(retention.maxAge())
                .map(TimeSpan::parse)
                .filter(age -> completed.plus(age).isBefore(world.clock().instant()))
                .isPresent();
        // A pinned one takes nobody's place.
        long ruled = siblings(backup)
                .filter(other -> isGood(other) && !Objects.isDeleting(other) && !isPinned(other))
                .filter(other -> isNewer(other, backup))
                .count();
        boolean many = retention.keepLast() != null && ruled >= retention.keepLast();
        return old || many ? Optional.empty() : Optional.of("%d are newer, and kept are %s".formatted(newer, retention));
    }

    private static boolean isPinned(EtcdBackup backup) {
        return "true".equals(backup.getMetadata().getAnnotations().get(Labels.PINNED));
    }

    private static boolean isNewer(EtcdBackup one, EtcdBackup other) {
        return Comparator.comparing((EtcdBackup backup) -> ended(backup).orElseThrow())
                        .thenComparing(backup -> backup.getMetadata().getName())
                        .compare(one, other)
                > 0;
    }

    private boolean isInUse(EtcdBackup backup) {
        String name = backup.getMetadata().getName();
        return world.server().list(EtcdRestore.class).stream()
                .filter(restore ->
                        restore.getStatus() == null || !restore.getStatus().hasEnded())
                .anyMatch(restore -> name.equals(restore.getSpec().source().backup()));
    }

    private Optional<EtcdBackupSchedule> schedule(EtcdBackup backup) {
        return Optional.ofNullable(backup.getMetadata().getLabels().get(Labels.SCHEDULE))
                .flatMap(name -> world.server().get(EtcdBackupSchedule.class, name));
    }

    private Stream<EtcdBackup> siblings(EtcdBackup backup) {
        String schedule = backup.getMetadata().getLabels().get(Labels.SCHEDULE);
        return world.server().list(EtcdBackup.class).stream()
                .filter(other -> schedule.equals(other.getMetadata().getLabels().get(Labels.SCHEDULE)))
                .filter(other -> !other.getMetadata()
                        .getName()
                        .equals(backup.getMetadata().getName()));
    }

    private static boolean isGood(EtcdBackup backup) {
        return backup.getStatus() != null && backup.getStatus().phase() == BackupPhase.COMPLETED;
    }

    private static Optional<Instant> ended(EtcdBackup backup) {
        return Optional.ofNullable(backup.getStatus()).map(EtcdBackupStatus::completionTime);
    }

    @SafeVarargs
    private static boolean isBehind(OperatorProcess operator, Class<? extends HasMetadata>... kinds) {
        return operator.watches().stream()
                .anyMatch(watches -> List.of(kinds).stream().anyMatch(watches.behind()::contains));
    }
}
