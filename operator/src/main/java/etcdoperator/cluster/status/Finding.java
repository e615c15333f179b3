package etcdoperator.cluster.status;

import etcdoperator.cluster.view.ClusterView;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * A condition before it has a time.
 *
 * @param at when it came to be so, where that is known better than by when it was first told
 */
record Finding(String type, boolean holds, String reason, String message, Optional<Instant> at) {
    Finding(String type, boolean holds, String reason, String message) {
        this(type, holds, reason, message, Optional.empty());
    }

    Condition toCondition(ClusterView view, Long generation, List<Condition> before) {
        String status = holds ? "True" : "False";
        String since = at.map(time -> time.truncatedTo(ChronoUnit.SECONDS).toString())
                .or(() -> before.stream()
                        .filter(known -> known.getType().equals(type)
                                && known.getStatus().equals(status))
                        .map(Condition::getLastTransitionTime)
                        .findFirst())
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
