package io.improbable.etcd.cluster;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** A condition before it has a time. */
record Finding(String type, boolean holds, String reason, String message) {
    Condition toCondition(ClusterView view, Long generation, List<Condition> before) {
        String status = holds ? "True" : "False";
        String since = before.stream()
                .filter(known ->
                        known.getType().equals(type) && known.getStatus().equals(status))
                .map(Condition::getLastTransitionTime)
                .findFirst()
                .orElseGet(() -> view.now().truncatedTo(ChronoUnit.SECONDS).toString());
        return new ConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(reason)
                .withMessage(message)
                .withObservedGeneration(generation)
                .withLastTransitionTime(since)
                .build();
    }
}
