package etcdoperator.manifest;

import static etcdoperator.manifest.Addresses.CLIENT_PORT;
import static etcdoperator.manifest.Addresses.METRICS_PORT;
import static etcdoperator.manifest.Addresses.PEER_PORT;

import etcdoperator.api.EtcdCluster;
import etcdoperator.domain.ClusterKey;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRuleBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeerBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import java.util.Map;

/**
 * The NetworkPolicy around a cluster's members. Whoever reaches the peer port can read and change everything, so only
 * members and this installation of the operator do; what goes out is not restricted.
 */
public final class Fence {
    private Fence() {}

    public static NetworkPolicy around(EtcdCluster cluster, OperatorPods operator) {
        ClusterKey key = Labels.keyOf(cluster);
        return new NetworkPolicyBuilder()
                .withNewMetadata()
                .withNamespace(key.namespace())
                .withName(key.name())
                .withLabels(Labels.ofCluster(key))
                .withOwnerReferences(Owned.by(cluster))
                .endMetadata()
                .withNewSpec()
                .withPodSelector(pods(Labels.selectorOf(key)))
                .withPolicyTypes("Ingress")
                .withIngress(
                        onlyFrom(PEER_PORT, members(key), operator.peer()), onlyFrom(CLIENT_PORT), onlyFrom(METRICS_PORT))
                .endSpec()
                .build();
    }

    /** @param peers none for anybody */
    private static NetworkPolicyIngressRule onlyFrom(int port, NetworkPolicyPeer... peers) {
        return new NetworkPolicyIngressRuleBuilder()
                .withFrom(peers)
                .withPorts(new NetworkPolicyPort(null, new IntOrString(port), "TCP"))
                .build();
    }

    private static NetworkPolicyPeer members(ClusterKey cluster) {
        return new NetworkPolicyPeerBuilder()
                .withPodSelector(pods(Labels.selectorOf(cluster)))
                .build();
    }

    private static LabelSelector pods(Map<String, String> labels) {
        return new LabelSelectorBuilder().withMatchLabels(labels).build();
    }
}
