package etcdoperator.e2e;

import static etcdoperator.e2e.Testbed.KUBE;

import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.PodTemplate;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraintBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides which members of one cluster may start. Each member's volume is tied to a node, and its pods go only to nodes
 * with a label of this test's own: no label, no pod. Nobody else's pods are touched.
 */
record NodeGate(String label) implements AutoCloseable {

    static NodeGate of(TestNamespace namespace) {
        return new NodeGate("e2e.example/" + namespace.name());
    }

    /** Three members on three nodes, whose volumes stay where they are. */
    EtcdClusterSpec threeMembers() {
        var spread = new TopologySpreadConstraintBuilder()
                .withMaxSkew(1)
                .withTopologyKey("kubernetes.io/hostname")
                .withWhenUnsatisfiable("DoNotSchedule")
                .withLabelSelector(new LabelSelectorBuilder()
                        .withMatchLabels(Map.of("app.kubernetes.io/name", "etcd"))
                        .build())
                .build();
        var template =
                new PodTemplate(null, null, null, Map.of(label, "open"), null, List.of(spread), null, null, null, null);
        return EtcdClusterSpec.of(3, TestCluster.VERSION, TestCluster.storage("local"))
                .withPodTemplate(template);
    }

    void open(String node) {
        edit(node, "open");
    }

    void closeAll() {
        Testbed.NODES.forEach(node -> edit(node, null));
    }

    void openAll() {
        Testbed.NODES.forEach(this::open);
    }

    @Override
    public void close() {
        closeAll();
    }

    /** A merge patch, for kubelets write to their nodes all the time. */
    private void edit(String node, String value) {
        Map<String, String> change = new HashMap<>();
        change.put(label, value);
        String patch = KUBE.getKubernetesSerialization().asJson(Map.of("metadata", Map.of("labels", change)));
        KUBE.nodes().withName(node).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }
}
