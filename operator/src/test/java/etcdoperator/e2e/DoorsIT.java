package etcdoperator.e2e;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Ways in are opened and shut on a living cluster, and no member notices. */
@Execution(ExecutionMode.CONCURRENT)
class DoorsIT {
    private static final List<String> ON_REQUEST =
            List.of("Service doors-client-lb", "Service doors-client-service-np", "NetworkPolicy doors");

    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @Test
    void servicesAndThePolicyComeAndGoWithTheSpec() {
        TestCluster cluster =
                namespace.cluster("doors", TestCluster.members(1)).create().awaitHealthy();
        Set<String> pods = uids(cluster);
        cluster.change(asked(true));
        eventually().untilAsserted(() -> assertThat(cluster.ownedObjects()).containsAll(ON_REQUEST));
        cluster.awaitHealthy();
        Service made = service("doors-client-service-np");
        int port = made.getSpec().getPorts().getFirst().getNodePort();
        assertThat(port).isPositive();

        KUBE.network()
                .v1()
                .networkPolicies()
                .inNamespace(namespace.name())
                .withName("doors")
                .edit(policy -> policy.edit().editSpec().withIngress().endSpec().build());
        eventually()
                .untilAsserted(() -> assertThat(KUBE.network()
                                .v1()
                                .networkPolicies()
                                .inNamespace(namespace.name())
                                .withName("doors")
                                .get()
                                .getSpec()
                                .getIngress())
                        .hasSize(3));
        assertThat(service("doors-client-service-np").getMetadata().getUid())
                .isEqualTo(made.getMetadata().getUid());
        assertThat(service("doors-client-service-np")
                        .getSpec()
                        .getPorts()
                        .getFirst()
                        .getNodePort())
                .isEqualTo(port);

        cluster.change(asked(false));
        eventually().untilAsserted(() -> assertThat(cluster.ownedObjects()).doesNotContainAnyElementsOf(ON_REQUEST));
        cluster.awaitHealthy();
        assertThat(uids(cluster)).isEqualTo(pods);
    }

    private Service service(String name) {
        return KUBE.services().inNamespace(namespace.name()).withName(name).get();
    }

    private static Map<String, Object> asked(boolean enabled) {
        Map<String, Boolean> wanted = Map.of("enabled", enabled);
        return Map.of("services", Map.of("nodePort", wanted, "loadBalancer", wanted), "networkPolicy", wanted);
    }

    private static Set<String> uids(TestCluster cluster) {
        return cluster.pods().stream()
                .map(Pod::getMetadata)
                .map(metadata -> metadata.getUid())
                .collect(Collectors.toSet());
    }
}
