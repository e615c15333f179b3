package etcdoperator.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.PeerBootstrap.InitialClusterState;
import etcdoperator.api.ServicesSpec.LoadBalancerService;
import etcdoperator.api.ServicesSpec.NodePortService;
import etcdoperator.api.TlsSetup;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Scheme;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterObjectsTest {
    private final EtcdCluster cluster = Given.cluster();

    @Test
    void membersFindEachOtherBeforeTheyAreReady() {
        Service service = ClusterServices.headless(cluster);
        assertThat(service.getMetadata().getName()).isEqualTo("c");
        assertThat(service.getSpec().getClusterIP()).isEqualTo("None");
        assertThat(service.getSpec().getPublishNotReadyAddresses()).isTrue();
        assertThat(service.getSpec().getPorts())
                .extracting(
                        ServicePort::getName,
                        ServicePort::getPort,
                        port -> port.getTargetPort().getIntVal())
                .containsExactly(tuple("client", 2379, 2379), tuple("peer", 2380, 2380));
    }

    @Test
    void clientsReachOnlyMembersThatAreReady() {
        Service service = ClusterServices.client(cluster);
        assertThat(service.getMetadata().getName()).isEqualTo("c-client");
        assertThat(service.getSpec().getType()).isEqualTo("ClusterIP");
        assertThat(service.getSpec().getPublishNotReadyAddresses()).isNull();
        assertThat(service.getSpec().getPorts())
                .extracting(ServicePort::getName, ServicePort::getPort)
                .containsExactly(tuple("client", 2379));
    }

    @Test
    void clientsOutsideReachTheSameMembersAsThoseInside() {
        Service nodePort = ClusterServices.nodePort(cluster, new NodePortService(true, 32379, Map.of("note", "x")));
        assertThat(nodePort.getMetadata().getName()).isEqualTo("c-client-service-np");
        assertThat(nodePort.getMetadata().getAnnotations()).isEqualTo(Map.of("note", "x"));
        assertThat(nodePort.getSpec().getType()).isEqualTo("NodePort");
        assertThat(nodePort.getSpec().getPorts())
                .extracting(ServicePort::getPort, ServicePort::getNodePort)
                .containsExactly(tuple(2379, 32379));
        Service balancer =
                ClusterServices.loadBalancer(cluster, new LoadBalancerService(true, Map.of("internal", "1")));
        assertThat(balancer.getMetadata().getName()).isEqualTo("c-client-lb");
        assertThat(balancer.getMetadata().getAnnotations()).isEqualTo(Map.of("internal", "1"));
        assertThat(balancer.getSpec().getType()).isEqualTo("LoadBalancer");
        assertThat(List.of(nodePort, balancer))
                .extracting(service -> service.getSpec().getSelector())
                .containsOnly(ClusterServices.client(cluster).getSpec().getSelector());
    }

    @Test
    void theClientServiceCarriesTheUsersAnnotations() {
        EtcdCluster annotated = Given.cluster("services: {client: {annotations: {team: storage}}}");
        assertThat(ClusterServices.client(annotated).getMetadata().getAnnotations())
                .isEqualTo(Map.of("team", "storage"));
        assertThat(ClusterServices.headless(annotated).getMetadata().getAnnotations())
                .isNullOrEmpty();
    }

    /** As YAML: what an empty selector means, and that it is written at all, is all that matters here. */
    @Test
    void onlyMembersAndTheOperatorReachThePeerPort() {
        var operator = new OperatorPods("ops", "my-operator", "my-release");
        assertThat(Serialization.asYaml(Fence.around(cluster, operator).getSpec())).isEqualTo("""
                ---
                ingress:
                - from:
                  - podSelector:
                      matchLabels:
                        etcd.improbable.io/cluster-name: "c"
                  - namespaceSelector:
                      matchLabels:
                        kubernetes.io/metadata.name: "ops"
                    podSelector:
                      matchLabels:
                        app.kubernetes.io/instance: "my-release"
                        app.kubernetes.io/name: "my-operator"
                  ports:
                  - port: 2380
                    protocol: "TCP"
                - ports:
                  - port: 2379
                    protocol: "TCP"
                - ports:
                  - port: 2381
                    protocol: "TCP"
                podSelector:
                  matchLabels:
                    etcd.improbable.io/cluster-name: "c"
                policyTypes:
                - "Ingress"
                """);
    }

    /** An operator that was not installed by the chart may have neither label; its namespace it has. */
    @Test
    void anOperatorWithoutLabelsIsAdmittedByItsNamespace() {
        var peers = Fence.around(cluster, new OperatorPods("ops", "", ""))
                .getSpec()
                .getIngress()
                .getFirst()
                .getFrom();
        assertThat(peers.getLast().getNamespaceSelector().getMatchLabels())
                .isEqualTo(Map.of("kubernetes.io/metadata.name", "ops"));
        assertThat(peers.getLast().getPodSelector().getMatchLabels()).isEmpty();
    }

    @Test
    void servicesAndBudgetSelectThePodsOfTheirClusterAndGoWithIt() {
        for (HasMetadata object : new HasMetadata[] {
            ClusterServices.headless(cluster),
            ClusterServices.client(cluster),
            ClusterServices.nodePort(cluster, new NodePortService(true, null, null)),
            ClusterServices.loadBalancer(cluster, new LoadBalancerService(true, null)),
            DisruptionBudget.allowing(1, cluster),
            Fence.around(cluster, OperatorPods.USUAL)
        }) {
            assertThat(object.getMetadata().getLabels()).containsEntry("etcd.improbable.io/cluster-name", "c");
            assertThat(object.getMetadata().getOwnerReferences())
                    .singleElement()
                    .satisfies(owner -> {
                        assertThat(owner.getKind()).isEqualTo("EtcdCluster");
                        assertThat(owner.getApiVersion()).isEqualTo("etcd.improbable.io/v1alpha1");
                        assertThat(owner.getUid()).isEqualTo("u1");
                        assertThat(owner.getController()).isTrue();
                    });
        }
        Map<String, String> pods = Map.of("etcd.improbable.io/cluster-name", "c");
        assertThat(ClusterServices.headless(cluster).getSpec().getSelector()).isEqualTo(pods);
        assertThat(ClusterServices.client(cluster).getSpec().getSelector())
                .as("without those that are taken out of it")
                .isEqualTo(Map.of("etcd.improbable.io/cluster-name", "c", "app.kubernetes.io/name", "etcd"));
        assertThat(DisruptionBudget.allowing(1, cluster).getSpec().getSelector().getMatchLabels())
                .isEqualTo(pods);
    }

    @Test
    void theBudgetSaysHowManyMayGo() {
        assertThat(DisruptionBudget.allowing(0, cluster)
                        .getSpec()
                        .getMaxUnavailable()
                        .getIntVal())
                .isZero();
        assertThat(DisruptionBudget.allowing(2, cluster)
                        .getSpec()
                        .getMaxUnavailable()
                        .getIntVal())
                .isEqualTo(2);
    }

    @Test
    void aClaimSaysFromItsFirstMomentWhatItWasMadeFor() {
        PersistentVolumeClaim claim = Claims.forBootstrap(cluster, PeerName.parse("c-1"), "token-1", 3, Scheme.HTTP);
        assertThat(claim.getMetadata().getName()).isEqualTo("c-1");
        assertThat(claim.getMetadata().getLabels())
                .containsEntry("etcd.improbable.io/cluster-name", "c")
                .containsEntry("etcd.improbable.io/peer-name", "c-1");
        assertThat(claim.getMetadata().getAnnotations())
                .containsEntry("etcd.improbable.io/bootstrap-token", "token-1")
                .containsEntry("etcd.improbable.io/bootstrap-size", "3");
    }

    @Test
    void dataOutlivesTheCluster() {
        assertThat(Claims.forBootstrap(cluster, PeerName.parse("c-1"), "t", 3, Scheme.HTTP)
                        .getMetadata()
                        .getOwnerReferences())
                .isEmpty();
    }

    @Test
    void aClaimIsTheUsersTemplate() {
        var spec = Claims.forBootstrap(cluster, PeerName.parse("c-1"), "t", 3, Scheme.HTTP)
                .getSpec();
        assertThat(spec.getAccessModes()).containsExactly("ReadWriteOnce");
        assertThat(spec.getResources().getRequests().get("storage")).hasToString("1Gi");

        var pod = Claims.forBootstrap(
                        Given.cluster(
                                "storage: {volumeClaimTemplate: {accessModes: [ReadWriteOncePod], storageClassName: fast, resources: {requests: {storage: 2Gi}}}}"),
                        PeerName.parse("c-1"),
                        "t",
                        3,
                        Scheme.HTTP)
                .getSpec();
        assertThat(pod.getAccessModes()).containsExactly("ReadWriteOncePod");
        assertThat(pod.getStorageClassName()).isEqualTo("fast");
    }

    @Test
    void aClaimKeepsWhoRanOnIt() {
        assertThat(Claims.heldBy(new ClusterId(0xc1), new MemberId(0xa0)))
                .containsOnly(
                        Map.entry("etcd.improbable.io/cluster-id", "c1"),
                        Map.entry("etcd.improbable.io/member-id", "a0"));
    }

    @Test
    void aPeerHasAllItNeedsFromItsCluster() {
        EtcdPeer peer = Given.founder(cluster);
        assertThat(peer.getMetadata().getName()).isEqualTo("c-1");
        assertThat(peer.getSpec().clusterName()).isEqualTo("c");
        assertThat(peer.getSpec().claimName()).isEqualTo("c-1");
        assertThat(peer.getSpec().image().reference()).isEqualTo("quay.io/coreos/etcd:v3.6.16");
        assertThat(peer.getSpec().bootstrap().initialClusterState()).isEqualTo(InitialClusterState.NEW);
        assertThat(peer.getSpec().bootstrap().token()).isEqualTo("token-1");
        assertThat(peer.getMetadata().getOwnerReferences())
                .singleElement()
                .satisfies(owner -> assertThat(owner.getUid()).isEqualTo("u1"));
    }

    @Test
    void anEditedPeerIsPutRightButStartsAsBefore() {
        EtcdPeer edited = Given.existing(Given.clusterOf("3.5.35"));
        assertThat(new Peers(cluster, TlsSetup.NONE)
                        .asItShouldBe(edited)
                        .getSpec()
                        .version())
                .as("a roll's to change")
                .isEqualTo("3.5.35");
        EtcdPeer right = new Peers(cluster, TlsSetup.NONE).renewed(edited);
        assertThat(right.getSpec().version()).isEqualTo("3.6.16");
        assertThat(right.getSpec().claimName()).isEqualTo("c-1-x7");
        assertThat(right.getSpec().bootstrap()).isEqualTo(edited.getSpec().bootstrap());
    }

    @Test
    void addressesOfIpv6AreWrittenInBrackets() {
        assertThat(etcdoperator.etcd.Endpoint.plain("fd00::17", 2379).hostAndPort())
                .isEqualTo("[fd00::17]:2379");
        assertThat(etcdoperator.etcd.Endpoint.plain("10.0.0.1", 2379).url()).hasToString("http://10.0.0.1:2379");
    }
}
