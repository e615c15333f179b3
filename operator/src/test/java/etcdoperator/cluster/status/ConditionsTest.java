package etcdoperator.cluster.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.cluster.Planner;
import etcdoperator.cluster.scenario.ScenarioView;
import etcdoperator.cluster.view.ClusterView;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said while certificates are made, which is over at once. */
class ConditionsTest {
    private static final Long GENERATION = 3L;

    @Test
    void aClusterAtRestStaysAtRest() {
        assertThat(progressing("Settled", GENERATION).getStatus()).isEqualTo("False");
    }

    @Test
    void whatWasSaidOfAnotherSpecSaysNothingOfThisOne() {
        assertThat(progressing("Settled", GENERATION - 1).getStatus()).isEqualTo("True");
    }

    @Test
    void aProblemThatIsGoneIsNotWhatStopsTheCluster() {
        assertThat(progressing("CertificatesInvalid", GENERATION).getStatus()).isEqualTo("True");
    }

    private static Condition progressing(String before, Long generation) {
        Condition known = new ConditionBuilder()
                .withType("Progressing")
                .withStatus("False")
                .withReason(before)
                .withMessage("as it was")
                .withObservedGeneration(generation)
                .withLastTransitionTime(ScenarioView.NOW.toString())
                .build();
        ClusterView view = ScenarioView.read(Serialization.unmarshal(
                        "---\nlike: settled\ntls: {target: required, due: [c-server-tls]}", JsonNode.class))
                .view();
        return Conditions.of(view, Planner.next(view), GENERATION, List.of(known)).stream()
                .filter(condition -> condition.getType().equals("Progressing"))
                .findFirst()
                .orElseThrow();
    }
}
