package etcdoperator.manifest;

import static etcdoperator.manifest.Addresses.CLIENT_PORT;
import static etcdoperator.manifest.Addresses.PEER_PORT;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.ServicesSpec.LoadBalancerService;
import etcdoperator.api.ServicesSpec.NodePortService;
import etcdoperator.domain.ClusterKey;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;
import java.util.Map;

/** The two services every cluster has, and those it has on request. */
public final class ClusterServices {
    private ClusterServices() {}

    /** Gives each pod its name. Members must find each other before they are ready, or none ever will be. */
    public static Service headless(EtcdCluster cluster) {
        return service(cluster, Addresses.headlessService(Labels.keyOf(cluster)))
                .editSpec()
                .withClusterIP("None")
                .withPublishNotReadyAddresses(true)
                .withPorts(port("client", CLIENT_PORT), port("peer", PEER_PORT))
                .endSpec()
                .build();
    }

    public static Service client(EtcdCluster cluster) {
        return forClients(
                cluster,
                Addresses.clientService(Labels.keyOf(cluster)),
                "ClusterIP",
                cluster.getSpec().servicesOrDefault().clientAnnotations(),
                port("client", CLIENT_PORT));
    }

    /** A port on every node; Kubernetes chooses one where the user has not, and keeps it. */
    public static Service nodePort(EtcdCluster cluster, NodePortService wanted) {
        ServicePort port = port("client", CLIENT_PORT);
        port.setNodePort(wanted.port());
        return forClients(
                cluster, Addresses.nodePortService(Labels.keyOf(cluster)), "NodePort", wanted.annotations(), port);
    }

    public static Service loadBalancer(EtcdCluster cluster, LoadBalancerService wanted) {
        return forClients(
                cluster,
                Addresses.loadBalancerService(Labels.keyOf(cluster)),
                "LoadBalancer",
                wanted.annotations(),
                port("client", CLIENT_PORT));
    }

    private static Service forClients(
            EtcdCluster cluster, String name, String type, Map<String, String> annotations, ServicePort port) {
        return service(cluster, name)
                .editMetadata()
                .withAnnotations(annotations)
                .endMetadata()
                .editSpec()
                .withType(type)
                .withSelector(Labels.serving(Labels.keyOf(cluster)))
                .withPorts(port)
                .endSpec()
                .build();
    }

    private static ServiceBuilder service(EtcdCluster cluster, String name) {
        ClusterKey key = Labels.keyOf(cluster);
        return new ServiceBuilder()
                .withNewMetadata()
                .withNamespace(key.namespace())
                .withName(name)
                .withLabels(Labels.ofCluster(key))
                .withOwnerReferences(Owned.by(cluster))
                .endMetadata()
                .withNewSpec()
                .withSelector(Labels.selectorOf(key))
                .endSpec();
    }

    private static ServicePort port(String name, int number) {
        return new ServicePortBuilder()
                .withName(name)
                .withPort(number)
                .withTargetPort(new IntOrString(number))
                .withProtocol("TCP")
                .build();
    }
}
