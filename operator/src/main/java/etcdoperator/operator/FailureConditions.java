package etcdoperator.operator;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreStatus;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.api.backup.EtcdBackupScheduleStatus;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.cluster.status.Conditions;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** The condition by which an object of each kind says that its passes fail. The next pass that ends replaces it. */
public final class FailureConditions {
    static final String REASON = "PassFailed";

    private final Clock clock;

    public FailureConditions(Clock clock) {
        this.clock = clock;
    }

    public Optional<EtcdCluster> on(EtcdCluster cluster, String why) {
        var before = Objects.requireNonNullElse(cluster.getStatus(), EtcdClusterStatus.EMPTY);
        return added(cluster, before.conditions(), Conditions.DEGRADED, "True", why)
                .map(conditions -> {
                    var changed = new EtcdCluster();
                    changed.setMetadata(cluster.getMetadata());
                    changed.setSpec(cluster.getSpec());
                    changed.setStatus(before.withConditions(conditions));
                    return changed;
                });
    }

    /** One that has ended stays as it ended. */
    public Optional<EtcdBackup> on(EtcdBackup backup, String why) {
        var before = Objects.requireNonNullElse(backup.getStatus(), EtcdBackupStatus.EMPTY);
        if (before.completionTime() != null) {
            return Optional.empty();
        }
        return added(backup, before.conditions(), "Complete", "False", why).map(conditions -> {
            var changed = new EtcdBackup();
            changed.setMetadata(backup.getMetadata());
            changed.setSpec(backup.getSpec());
            changed.setStatus(before.withConditions(conditions));
            return changed;
        });
    }

    public Optional<EtcdBackupSchedule> on(EtcdBackupSchedule schedule, String why) {
        var before = Objects.requireNonNullElse(schedule.getStatus(), EtcdBackupScheduleStatus.EMPTY);
        return added(schedule, before.conditions(), "Ready", "False", why).map(conditions -> {
            var changed = new EtcdBackupSchedule();
            changed.setMetadata(schedule.getMetadata());
            changed.setSpec(schedule.getSpec());
            changed.setStatus(before.withConditions(conditions));
            return changed;
        });
    }

    /** One that has ended stays as it ended. */
    public Optional<EtcdRestore> on(EtcdRestore restore, String why) {
        var before = Objects.requireNonNullElse(restore.getStatus(), EtcdRestoreStatus.EMPTY);
        if (before.hasEnded()) {
            return Optional.empty();
        }
        return added(restore, before.conditions(), "Complete", "False", why).map(conditions -> {
            var changed = new EtcdRestore();
            changed.setMetadata(restore.getMetadata());
            changed.setSpec(restore.getSpec());
            changed.setStatus(before.withConditions(conditions));
            return changed;
        });
    }

    /** Empty if they say so already. */
    private Optional<List<Condition>> added(
            HasMetadata object, List<Condition> before, String type, String status, String why) {
        boolean known = before.stream()
                .anyMatch(condition -> type.equals(condition.getType()) && why.equals(condition.getMessage()));
        if (known) {
            return Optional.empty();
        }
        Stream<Condition> others = before.stream().filter(condition -> !type.equals(condition.getType()));
        Condition failing = new ConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(REASON)
                .withMessage(why)
                .withObservedGeneration(object.getMetadata().getGeneration())
                .withLastTransitionTime(
                        clock.instant().truncatedTo(ChronoUnit.SECONDS).toString())
                .build();
        return Optional.of(Stream.concat(others, Stream.of(failing)).toList());
    }
}
