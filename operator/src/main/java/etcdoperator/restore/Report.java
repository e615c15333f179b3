package etcdoperator.restore;

import etcdoperator.agentreport.AgentReport;
import etcdoperator.api.EtcdRestoreStatus;
import etcdoperator.api.EtcdRestoreStatus.ChosenBackup;
import etcdoperator.api.EtcdRestoreStatus.RestorePhase;
import etcdoperator.api.EtcdRestoreStatus.RestoreStage;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What status says after a pass, computed from view and step alone. */
final class Report {
    static final String COMPLETE = "Complete";

    private final RestoreView view;
    private final EtcdRestoreStatus before;
    private final Step step;
    private final Instant now;

    private Report(RestoreView view, Step step, Instant now) {
        this.view = view;
        this.before = view.status();
        this.step = step;
        this.now = now.truncatedTo(ChronoUnit.SECONDS);
    }

    static EtcdRestoreStatus of(RestoreView view, Step step, @Nullable Long generation, Instant now) {
        return new Report(view, step, now).status(generation);
    }

    private EtcdRestoreStatus status(@Nullable Long generation) {
        Optional<Step.Settle> settled = step instanceof Step.Settle settle ? Optional.of(settle) : Optional.empty();
        boolean over = step instanceof Step.Complete || step instanceof Step.Fail;
        return new EtcdRestoreStatus(
                phase(),
                stage(),
                chosen(),
                view.clusterName(),
                settled.map(Step.Settle::claimName).orElse(before.claimName()),
                salvaged(AgentReport::source).orElse(before.sourceClaim()),
                step instanceof Step.ListOld(List<String> claims, String reason) ? claims : before.setAsideClaims(),
                settled.map(settle -> settle.version().toString()).orElse(before.version()),
                settled.flatMap(Step.Settle::revision)
                        .or(() -> salvaged(AgentReport::revision))
                        .orElse(before.revision()),
                settled.flatMap(Step.Settle::time)
                        .or(() -> salvaged(AgentReport::time))
                        .orElse(before.backupTime()),
                before.startTime() == null ? now : before.startTime(),
                over ? now : before.completionTime(),
                List.of(condition(generation)));
    }

    /** What a survivor's disk holds is known once it is read, which is when the next part begins. */
    private <T> Optional<T> salvaged(Function<AgentReport, @Nullable T> word) {
        return view.salvages()
                        && (stage() == RestoreStage.CONFIRMING || stage() == RestoreStage.SWAPPING)
                        && view.filling() instanceof Errand.Done(Optional<AgentReport> report)
                ? report.flatMap(said -> Optional.ofNullable(word.apply(said)))
                : Optional.empty();
    }

    private RestorePhase phase() {
        if (step instanceof Step.Complete) {
            return RestorePhase.COMPLETED;
        }
        if (step instanceof Step.Fail) {
            return RestorePhase.FAILED;
        }
        RestoreStage stage = stage();
        return stage == null || stage == RestoreStage.INSPECTING ? RestorePhase.PENDING : RestorePhase.RESTORING;
    }

    private @Nullable RestoreStage stage() {
        if (step instanceof Step.Choose) {
            return RestoreStage.INSPECTING;
        }
        if (step instanceof Step.Settle) {
            return view.salvages() ? RestoreStage.LYING_DOWN : RestoreStage.FILLING;
        }
        if (step instanceof Step.ListOld) {
            return RestoreStage.SWAPPING;
        }
        return step instanceof Step.Enter entered ? entered.stage() : before.stage();
    }

    private @Nullable ChosenBackup chosen() {
        if (step instanceof Step.Choose choice) {
            return choice.chosen();
        }
        return step instanceof Step.Settle settled ? settled.chosen() : before.chosen();
    }

    private Condition condition(@Nullable Long generation) {
        String status = step instanceof Step.Complete ? "True" : "False";
        String since = before.conditions().stream()
                .filter(known ->
                        known.getType().equals(COMPLETE) && known.getStatus().equals(status))
                .map(Condition::getLastTransitionTime)
                .findFirst()
                .orElseGet(now::toString);
        return new ConditionBuilder()
                .withType(COMPLETE)
                .withStatus(status)
                .withReason(reason())
                .withMessage(step.reason())
                .withObservedGeneration(generation)
                .withLastTransitionTime(since)
                .build();
    }

    private String reason() {
        RestoreStage stage = stage();
        if (step instanceof Step.Complete) {
            return "Completed";
        }
        if (step instanceof Step.Fail) {
            return "Failed";
        }
        return stage == null ? "Choosing" : word(stage);
    }

    private static String word(RestoreStage stage) {
        return switch (stage) {
            case INSPECTING -> "Inspecting";
            case FILLING -> "Filling";
            case LYING_DOWN -> "LyingDown";
            case CONFIRMING -> "Confirming";
            case SWAPPING -> "Swapping";
            case STARTING -> "Starting";
        };
    }
}
