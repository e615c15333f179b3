package etcdoperator.cluster.services;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.cluster.scenario.ScenarioObjects;
import etcdoperator.cluster.scenario.ScenarioView;
import etcdoperator.manifest.OperatorPods;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many pods a drain may take, which is never one too many. */
class SupportTest {
    @ParameterizedTest
    @CsvSource({"1,0", "2,0", "3,1", "4,1", "5,2", "7,3"})
    void whileAllIsWellWhatQuorumCanSpare(int members, int spare) {
        assertThat(budget("like: settled\ncluster: {replicas: %d}".formatted(members)))
                .isEqualTo(spare);
    }

    @Test
    void noneWhileAVoterIsUnwell() {
        assertThat(budget("like: settled\nmembers: {c-2: {unhealthy: no connection}}"))
                .isZero();
    }

    @Test
    void noneWhileAnOperationIsUnderWay() {
        assertThat(budget("like: settled\noperation: Resume")).isZero();
    }

    @Test
    void noneWithoutQuorum() {
        assertThat(budget("like: settled\nquorum: false")).isZero();
    }

    @Test
    void noneWhileNobodyAnswers() {
        assertThat(budget("like: settled\nunreachable: no connection")).isZero();
    }

    @Test
    void aLearnerNeitherCountsNorMatters() {
        assertThat(budget("like: settled\ncluster: {replicas: 2}\nmembers: {c-2: {role: learner, unhealthy: new}}"))
                .isZero();
        assertThat(budget("like: settled\nmembers: {c-3: {role: learner, unhealthy: new}}"))
                .isEqualTo(1);
    }

    private static int budget(String yaml) {
        var scenario = ScenarioView.read(Serialization.unmarshal(yaml, JsonNode.class));
        var cluster = ScenarioObjects.of(scenario).cluster();
        return Support.desired(
                        cluster,
                        OperatorPods.USUAL,
                        scenario.view().memory(),
                        scenario.view().membership())
                .stream()
                .filter(PodDisruptionBudget.class::isInstance)
                .map(PodDisruptionBudget.class::cast)
                .findFirst()
                .orElseThrow()
                .getSpec()
                .getMaxUnavailable()
                .getIntVal();
    }
}
