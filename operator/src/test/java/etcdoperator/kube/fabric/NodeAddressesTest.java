package etcdoperator.kube.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NodeAddressesTest {
    private static Node node(int number) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName("node-%04d".formatted(number))
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .withNewStatus()
                .addNewAddress("10.0.%d.%d".formatted(number / 256, number % 256), "InternalIP")
                .addNewAddress("203.0.113." + number % 256, "ExternalIP")
                .addNewAddress("Node-%04d".formatted(number), "Hostname")
                .addNewAddress("", "ExternalDNS")
                .addNewCondition()
                .withType("Ready")
                .withStatus("False")
                .endCondition()
                .endStatus()
                .build();
    }

    @Test
    void everyNodeCountsWhetherItIsReadyOrNot() {
        assertThat(NodeAddresses.of(Stream.of(node(2), node(1))))
                .containsExactly("10.0.0.1", "10.0.0.2", "203.0.113.1", "203.0.113.2", "node-0001", "node-0002");
        assertThat(NodeAddresses.of(Stream.of(
                        new NodeBuilder(node(1)).withNewStatus().endStatus().build())))
                .isEmpty();
    }

    @Test
    void ofManyTheSameFewCountInWhateverOrderTheyAreSeen() {
        List<Node> many =
                IntStream.range(0, 300).mapToObj(NodeAddressesTest::node).toList();
        assertThat(NodeAddresses.of(many.reversed().stream()))
                .isEqualTo(NodeAddresses.of(many.stream()))
                .hasSize(3 * NodeAddresses.MOST_NODES)
                .contains("node-0099")
                .doesNotContain("node-0100");
    }

    @Test
    void theCacheKeepsThem() {
        var store = new SlimItemStore<Node>();
        store.put("node-0001", node(1));
        assertThat(NodeAddresses.of(store.values())).hasSize(3);
    }
}
