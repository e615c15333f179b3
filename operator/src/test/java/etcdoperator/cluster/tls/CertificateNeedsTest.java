package etcdoperator.cluster.tls;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdCluster;
import etcdoperator.cluster.observe.Certified;
import etcdoperator.tls.LeafRequest;
import etcdoperator.tls.Usage;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CertificateNeedsTest {
    private static final String TLS =
            "{client: {managed: {}}, extraSANs: [etcd.example.com, 192.0.2.7, '2001:DB8::7'], managed: {leafLifetime: 1h}}";

    private static final List<String> EXTRA = List.of("etcd.example.com", "192.0.2.7", "2001:DB8::7");

    private static CertificateNeeds needs(Service... services) {
        return new CertificateNeeds(Certified.cluster(TLS), List.of(services), Set.of(), "example.org", EXTRA);
    }

    private static LeafRequest need(CertificateNeeds needs, String secret) {
        return Objects.requireNonNull(needs.ofClients().get(secret));
    }

    @Test
    void theServerIsGoodForEveryNameOfServicesAndMembers() {
        LeafRequest server = need(needs(), "c-server-tls");
        assertThat(server.dnsNames())
                .containsExactlyInAnyOrder(
                        "*.c.ns.svc",
                        "*.c.ns.svc.example.org",
                        "localhost",
                        "c",
                        "c.ns",
                        "c.ns.svc",
                        "c.ns.svc.example.org",
                        "c-client",
                        "c-client.ns",
                        "c-client.ns.svc",
                        "c-client.ns.svc.example.org",
                        "etcd.example.com");
        assertThat(server.addresses()).hasSize(4).contains("127.0.0.1", "192.0.2.7");
        assertThat(server.usages()).containsExactlyInAnyOrder(Usage.SERVER, Usage.CLIENT);
        assertThat(server.lifetime()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void servicesAddTheirNamesAndAddresses() {
        Service balanced = new ServiceBuilder()
                .withNewMetadata()
                .withName("outside")
                .endMetadata()
                .withNewSpec()
                .withClusterIP("10.96.0.9")
                .endSpec()
                .withNewStatus()
                .withNewLoadBalancer()
                .addNewIngress()
                .withIp("203.0.113.5")
                .endIngress()
                .addNewIngress()
                .withHostname("lb.example.net")
                .endIngress()
                .endLoadBalancer()
                .endStatus()
                .build();
        Service headless = new ServiceBuilder()
                .withNewMetadata()
                .withName("c")
                .endMetadata()
                .withNewSpec()
                .withClusterIP("None")
                .endSpec()
                .build();
        LeafRequest server = need(needs(balanced, headless), "c-server-tls");
        assertThat(server.dnsNames())
                .contains("outside", "outside.ns", "outside.ns.svc", "outside.ns.svc.example.org", "lb.example.net");
        assertThat(server.addresses()).hasSize(6).contains("10.96.0.9", "203.0.113.5");
    }

    @Test
    void nodesAreNamedWhereClientsComeByThem() {
        Set<String> nodes = Set.of("10.0.0.7", "2001:db8::9", "node-1", "node-1.example.net", "no_name", "née");
        EtcdCluster cluster = new Certified(TLS).withNodePort().cluster();
        LeafRequest server = need(new CertificateNeeds(cluster, List.of(), nodes, "example.org", EXTRA), "c-server-tls");
        LeafRequest without = need(new CertificateNeeds(cluster, List.of(), Set.of(), "example.org", EXTRA), "c-server-tls");
        assertThat(more(server.dnsNames(), without.dnsNames()))
                .containsExactlyInAnyOrder("node-1", "node-1.example.net");
        assertThat(more(server.addresses(), without.addresses())).hasSize(2).contains("10.0.0.7");
        assertThat(new CertificateNeeds(cluster, List.of(), nodes, "example.org", EXTRA).ofPeers())
                .as("members do not come by them")
                .isEqualTo(needs().ofPeers());
        assertThat(need(new CertificateNeeds(Certified.cluster(TLS), List.of(), nodes, "example.org", EXTRA), "c-server-tls"))
                .as("no such port")
                .isEqualTo(without);
    }

    private static Set<String> more(Set<String> all, Set<String> without) {
        return all.stream().filter(each -> !without.contains(each)).collect(Collectors.toSet());
    }

    @Test
    void clientsAreClientsOnly() {
        LeafRequest client = need(needs(), "c-client-tls");
        LeafRequest operator = need(needs(), "c-operator-tls");
        assertThat(List.of(client, operator)).allSatisfy(each -> {
            assertThat(each.usages()).containsExactly(Usage.CLIENT);
            assertThat(each.dnsNames()).isEmpty();
            assertThat(each.addresses()).isEmpty();
        });
        assertThat(client.commonName()).isEqualTo("c-client");
        assertThat(operator.commonName()).as("the user that may do everything").isEqualTo("root");
    }

    @Test
    void membersAreGoodForEachOtherAndNobodyElse() {
        LeafRequest peer = Objects.requireNonNull(needs().ofPeers().get("c-peer-tls"));
        assertThat(peer.commonName())
                .isEqualTo("c-peer")
                .isNotEqualTo(need(needs(), "c-client-tls").commonName());
        assertThat(peer.dnsNames()).containsExactlyInAnyOrder("*.c.ns.svc", "*.c.ns.svc.example.org", "localhost");
        assertThat(peer.addresses()).hasSize(2).contains("127.0.0.1");
        assertThat(peer.usages()).containsExactlyInAnyOrder(Usage.SERVER, Usage.CLIENT);
    }

    @Test
    void whatUsersBringMustBeGoodForMembersAndForTheClientService() {
        assertThat(needs().callings()).containsExactlyInAnyOrder("c-0.c.ns.svc", "c-client.ns.svc");
        assertThat(needs().memberCallings()).containsExactly("c-0.c.ns.svc");
    }
}
