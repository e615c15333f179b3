package etcdoperator.cluster.services;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.cluster.scenario.ScenarioObjects;
import etcdoperator.cluster.scenario.ScenarioView;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.OperatorPods;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Services and policies that come and go with the spec. */
class OnRequestTest {
    private static final String ALL =
            "spec: {services: {nodePort: {enabled: true}, loadBalancer: {enabled: true}}, networkPolicy: {enabled: true}}";
    private static final String[] NAMES = {"Service c-client-service-np", "Service c-client-lb", "NetworkPolicy c"};

    private final ScenarioView everything = scenario(ALL);
    private final ScenarioView nothing = scenario("");

    @Test
    void madeOnlyWhileAskedFor() {
        assertThat(desired(nothing)).extracting(Support::nameOf).doesNotContain(NAMES);
        assertThat(desired(everything)).extracting(Support::nameOf).contains(NAMES);
        assertThat(desired(scenario(ALL.replace("true", "false"))))
                .extracting(Support::nameOf)
                .doesNotContain(NAMES);
        assertThat(drifted(seen(everything, desired(nothing))))
                .as("what is asked for and not there")
                .containsExactly(NAMES);
    }

    @Test
    void surplusOnceNobodyAsksForIt() {
        assertThat(surplus(seen(everything, desired(everything)))).isEmpty();
        assertThat(surplus(seen(nothing, desired(everything)))).containsExactly(NAMES);
    }

    @Test
    void notTwice() {
        assertThat(surplus(seen(
                        nothing, changed(object -> object.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z")))))
                .isEmpty();
    }

    @Test
    void aNamesakeOfSomebodyElsesStays() {
        assertThat(surplus(seen(nothing, changed(object -> object.getMetadata().setOwnerReferences(List.of())))))
                .isEmpty();
        assertThat(surplus(seen(nothing, changed(object -> owner(object).setUid("u0")))))
                .as("an earlier cluster's goes with it")
                .isEmpty();
        assertThat(surplus(seen(nothing, changed(object -> owner(object).setController(false)))))
                .isEmpty();
    }

    @Test
    void nothingElseIsEverSurplus() {
        assertThat(surplus(seen(nothing, changed(object -> object.getMetadata().setName("mine")))))
                .isEmpty();
    }

    /** It chooses ports and addresses, and load balancers annotate what they serve. */
    @Test
    void whatKubernetesFillsInIsNoDrift() {
        List<HasMetadata> filled = changed(object -> {
            if (object instanceof Service service) {
                service.getSpec().getPorts().getFirst().setNodePort(31234);
                service.getSpec().setClusterIP("10.0.0.7");
                service.getSpec().setClusterIPs(List.of("10.0.0.7"));
                service.getSpec().setAllocateLoadBalancerNodePorts(true);
                service.getSpec().setExternalTrafficPolicy("Cluster");
                service.getMetadata().setFinalizers(List.of("service.kubernetes.io/load-balancer-cleanup"));
                service.getMetadata().getAnnotations().put("cloud.example/id", "lb-1");
            }
        });
        assertThat(drifted(seen(everything, filled))).isEmpty();
    }

    @Test
    void anotherPortOrAnnotationIsDrift() {
        List<HasMetadata> chosen = changed(object -> {
            if (object instanceof Service service) {
                service.getSpec().getPorts().getFirst().setNodePort(31234);
            }
        });
        assertThat(drifted(seen(
                        scenario(ALL.replace("nodePort: {enabled: true", "nodePort: {enabled: true, port: 32379")),
                        chosen)))
                .containsExactly("Service c-client-service-np");
        assertThat(drifted(seen(
                        scenario(ALL.replace("services: {", "services: {client: {annotations: {a: b}}, ")), chosen)))
                .containsExactly("Service c-client");
    }

    private List<HasMetadata> changed(Consumer<HasMetadata> change) {
        return desired(everything).stream()
                .map(Serialization::clone)
                .map(object -> {
                    if (Stream.of(NAMES).anyMatch(Support.nameOf(object)::equals)) {
                        change.accept(object);
                    }
                    return object;
                })
                .toList();
    }

    private static OwnerReference owner(HasMetadata object) {
        return object.getMetadata().getOwnerReferences().getFirst();
    }

    private static Stream<String> surplus(ClusterObjects objects) {
        return Support.surplus(objects).map(Support::nameOf);
    }

    private Stream<String> drifted(ClusterObjects objects) {
        return Support.drifted(objects, nothing.view().memory(), nothing.view().membership())
                .map(Support::nameOf);
    }

    private static List<HasMetadata> desired(ScenarioView scenario) {
        return Support.desired(
                ScenarioObjects.of(scenario).cluster(),
                OperatorPods.USUAL,
                scenario.view().memory(),
                scenario.view().membership());
    }

    private static ClusterObjects seen(ScenarioView asked, List<HasMetadata> support) {
        ClusterObjects objects = ScenarioObjects.of(asked);
        return new ClusterObjects(
                objects.cluster(),
                objects.peers(),
                objects.claims(),
                objects.replicaSets(),
                objects.pods(),
                support,
                objects.secrets(),
                objects.backups(),
                objects.recoveries(),
                objects.volumeWarnings(),
                objects.nodesUp(),
                objects.nodeAddresses(),
                objects.lostVolumes());
    }

    private static ScenarioView scenario(String more) {
        return ScenarioView.read(Serialization.unmarshal("like: settled\n" + more, JsonNode.class));
    }
}
