package etcdoperator.simulation.kube;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeSpecBuilder;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.NodeStatusBuilder;
import java.util.Optional;

/** What Kubernetes knows of machines: that they are there and heard of, and what people say of them. */
final class NodeObjects {
    private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";
    private static final NodeStatus READY = ready(true);

    private final FakeApiServer server;

    NodeObjects(FakeApiServer server) {
        this.server = server;
    }

    private static NodeStatus ready(boolean ready) {
        return new NodeStatusBuilder()
                .addNewCondition()
                .withType("Ready")
                .withStatus(ready ? "True" : "Unknown")
                .endCondition()
                .build();
    }

    static boolean isReady(Node node) {
        return node.getStatus().equals(READY);
    }

    static boolean isOutOfService(Node node) {
        return node.getSpec() != null
                && node.getSpec().getTaints().stream().anyMatch(taint -> OUT_OF_SERVICE.equals(taint.getKey()));
    }

    /** As its kubelet does when it starts; whoever sees it come back takes the taint off. */
    void register(String name) {
        Optional<Node> present = server.get(Node.class, name);
        if (present.isEmpty()) {
            server.create(new NodeBuilder()
                    .withNewMetadata()
                    .withName(name)
                    .endMetadata()
                    .withStatus(READY)
                    .build());
        }
        present.filter(NodeObjects::isOutOfService)
                .ifPresent(tainted -> server.change(tainted, changed -> {
                    changed.setSpec(null);
                    return changed;
                }));
    }

    void heardOf(Node node, boolean heard) {
        server.change(node, changed -> {
            changed.setStatus(ready(heard));
            return changed;
        });
    }

    /** By somebody who knows that the machine is off. @param delete or else taint */
    void declareDead(String name, boolean delete) {
        server.get(Node.class, name).ifPresent(node -> {
            if (delete) {
                server.remove(node);
            } else {
                server.change(node, changed -> {
                    changed.setSpec(new NodeSpecBuilder()
                            .addNewTaint()
                            .withKey(OUT_OF_SERVICE)
                            .withEffect("NoExecute")
                            .endTaint()
                            .build());
                    return changed;
                });
            }
        });
    }

    /** Whether what is on its disks is as good as gone. */
    boolean isDeclaredDead(String name) {
        return server.get(Node.class, name)
                .filter(node -> !isOutOfService(node))
                .isEmpty();
    }
}
