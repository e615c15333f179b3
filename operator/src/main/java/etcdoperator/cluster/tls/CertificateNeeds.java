package etcdoperator.cluster.tls;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.TlsSpec;
import etcdoperator.domain.ClusterKey;
import etcdoperator.manifest.Addresses;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.TlsSecrets;
import etcdoperator.tls.LeafRequest;
import etcdoperator.tls.Names;
import etcdoperator.tls.Usage;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LoadBalancerIngress;
import io.fabric8.kubernetes.api.model.LoadBalancerStatus;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which certificates a cluster needs, and every name and address they must be good for. */
public final class CertificateNeeds {
    /** etcd takes the common name of a client for its user. */
    private static final String ROOT = "root";

    /** Anything else could not be read from the certificate as it was asked for, which would be made for ever. */
    private static final Pattern DNS_NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");

    private static final Set<Usage> BOTH = Set.of(Usage.SERVER, Usage.CLIENT);

    private final ClusterKey key;
    private final TlsSpec spec;
    private final List<String> extraNames;
    private final Set<String> nodes;
    private final String domain;
    private final List<Service> services;

    /**
     * @param nodes names and addresses of nodes; they count only while clients reach members by a port of these
     * @param domain what the names of services end in after {@code .svc}
     * @param extraNames those that the user wants and may have
     */
    public CertificateNeeds(
            EtcdCluster cluster,
            List<HasMetadata> support,
            Set<String> nodes,
            String domain,
            List<String> extraNames) {
        this.key = Labels.keyOf(cluster);
        this.spec = Objects.requireNonNullElse(cluster.getSpec().tls(), TlsSpec.NONE);
        this.nodes = cluster.getSpec().servicesOrDefault().nodePortIfEnabled().isPresent() ? nodes : Set.of();
        this.domain = domain;
        this.extraNames = extraNames;
        this.services = support.stream()
                .filter(Service.class::isInstance)
                .map(Service.class::cast)
                .toList();
    }

    /** What clients see of members, and members of clients, by Secret. */
    Map<String, LeafRequest> ofClients() {
        SortedMap<String, LeafRequest> needs = new TreeMap<>();
        needs.put(TlsSecrets.server(key), leaf(key.name(), serverNames(), serverAddresses(), BOTH));
        needs.put(TlsSecrets.client(key), leaf(key.name() + "-client", Set.of(), Set.of(), Set.of(Usage.CLIENT)));
        needs.put(TlsSecrets.operator(key), leaf(ROOT, Set.of(), Set.of(), Set.of(Usage.CLIENT)));
        return needs;
    }

    /** What members see of each other. */
    Map<String, LeafRequest> ofPeers() {
        Set<String> names = memberNames();
        names.add("localhost");
        return Map.of(TlsSecrets.peer(key), leaf(commonNameOfPeers(), names, loopback(), BOTH));
    }

    /** Nobody else's certificate has it, so that a client's does not make a member. */
    String commonNameOfPeers() {
        return key.name() + "-peer";
    }

    /** The names that a certificate which somebody brings must be good for. */
    Set<String> callings() {
        return Set.of(
                Addresses.memberHost(key, key.name() + "-0"),
                Addresses.clientService(key) + "." + key.namespace() + ".svc");
    }

    Set<String> memberCallings() {
        return Set.of(hostNameOfPeers());
    }

    /** Every certificate of a member is good for it, and none of a cluster in another namespace. */
    String hostNameOfPeers() {
        return Addresses.memberHost(key, key.name() + "-0");
    }

    private LeafRequest leaf(String commonName, Set<String> names, Set<String> addresses, Set<Usage> usages) {
        return new LeafRequest(commonName, names, addresses, usages, lifetime());
    }

    private Duration lifetime() {
        return spec.lifetimes().leafLifetimeOrDefault();
    }

    private Set<String> memberNames() {
        String members = "*." + Addresses.headlessService(key) + "." + key.namespace() + ".svc";
        return new TreeSet<>(Set.of(members, members + "." + domain));
    }

    private Set<String> serverNames() {
        Set<String> names = memberNames();
        names.add("localhost");
        Stream.concat(
                        Stream.of(Addresses.headlessService(key), Addresses.clientService(key)),
                        services.stream().map(service -> service.getMetadata().getName()))
                .forEach(service -> {
                    String full = service + "." + key.namespace();
                    names.addAll(List.of(service, full, full + ".svc", full + ".svc." + domain));
                });
        Stream.concat(balancers(LoadBalancerIngress::getHostname).stream(), nodes.stream())
                .filter(name -> DNS_NAME.matcher(name).matches() && !isAddress(name))
                .forEach(names::add);
        extraNames.stream().filter(name -> !isAddress(name)).forEach(names::add);
        return names;
    }

    private Set<String> serverAddresses() {
        Set<String> addresses = loopback();
        services.stream()
                .map(service -> service.getSpec().getClusterIP())
                .filter(address -> address != null && isAddress(address))
                .forEach(addresses::add);
        Stream.concat(balancers(LoadBalancerIngress::getIp).stream(), nodes.stream())
                .filter(CertificateNeeds::isAddress)
                .forEach(addresses::add);
        extraNames.stream().filter(CertificateNeeds::isAddress).forEach(addresses::add);
        return addresses;
    }

    private Set<String> balancers(Function<LoadBalancerIngress, @Nullable String> what) {
        Set<String> found = new TreeSet<>();
        services.stream()
                .flatMap(service -> Optional.ofNullable(service.getStatus())
                        .map(ServiceStatus::getLoadBalancer)
                        .map(LoadBalancerStatus::getIngress)
                        .stream())
                .flatMap(List::stream)
                .flatMap(ingress -> Optional.ofNullable(what.apply(ingress)).stream())
                .forEach(found::add);
        return found;
    }

    private static Set<String> loopback() {
        return new TreeSet<>(Set.of("127.0.0.1", "::1"));
    }

    private static boolean isAddress(String text) {
        return Names.address(text).isPresent();
    }
}
