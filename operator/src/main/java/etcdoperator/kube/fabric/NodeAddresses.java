package etcdoperator.kube.fabric;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** By which names and addresses nodes are called from outside the Kubernetes cluster. */
public final class NodeAddresses {
    /** Certificates name all of these, and are sent at each handshake. */
    static final int MOST_NODES = 100;

    private NodeAddresses() {}

    /** Of the first by name, whether they are ready or not: the answer is to change only when nodes come or go. */
    public static Set<String> of(Stream<Node> nodes) {
        Set<String> addresses = new TreeSet<>();
        nodes.sorted(Comparator.comparing(node -> node.getMetadata().getName()))
                .limit(MOST_NODES)
                .forEach(node -> addresses.addAll(of(node)));
        return addresses;
    }

    /** All kinds that Kubernetes knows: InternalIP, ExternalIP, Hostname, InternalDNS and ExternalDNS. */
    static Set<String> of(Node node) {
        Set<String> addresses = new TreeSet<>();
        Optional.ofNullable(node.getStatus().getAddresses()).orElse(List.of()).stream()
                .map(NodeAddress::getAddress)
                .filter(address -> address != null && !address.isBlank())
                .map(address -> address.toLowerCase(Locale.ROOT))
                .forEach(addresses::add);
        return addresses;
    }
}
