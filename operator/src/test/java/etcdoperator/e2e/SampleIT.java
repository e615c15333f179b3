package etcdoperator.e2e;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static etcdoperator.e2e.fixture.Testbed.kubectl;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.MemberRole;
import etcdoperator.api.MemberStatus;
import etcdoperator.api.PeerPhase;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The README's sample, applied the way a person would, and everything a person would look at then. */
class SampleIT {
    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @Test
    void theSampleBecomesAClusterThatPeopleCanReadAndUse() {
        kubectl("apply", "-n", namespace.name(), "-f", "config/samples/etcd_v1alpha1_etcdcluster.yaml");
        kubectl("wait", "-n", namespace.name(), "--for=condition=Available", "etcd/my-cluster", "--timeout=180s");
        EtcdCluster stored = KUBE.resources(EtcdCluster.class)
                .inNamespace(namespace.name())
                .withName("my-cluster")
                .get();
        TestCluster cluster = namespace.cluster("my-cluster", stored.getSpec()).awaitHealthy();

        statusSaysItAll(cluster);
        columnsAnswerIsItWell(cluster);
        peersSayWhoTheyAre(cluster);
        eachThingDoneIsAnEvent(cluster);
        podsAreHarmlessAndSpread(cluster);
        otherPodsReachIt(cluster);
    }

    private static void statusSaysItAll(TestCluster cluster) {
        EtcdClusterStatus status = cluster.status();
        assertThat(status.replicas()).isEqualTo(3);
        assertThat(status.observedGeneration())
                .isEqualTo(cluster.object().getMetadata().getGeneration());
        assertThat(status.members()).extracting(MemberStatus::name).containsExactlyElementsOf(cluster.peerNames());
        assertThat(status.members()).allSatisfy(member -> {
            assertThat(member.healthy()).isTrue();
            assertThat(member.version()).isEqualTo("3.6.16");
            assertThat(member.id()).matches("[0-9a-f]{1,16}");
            assertThat(member.dbSizeBytes()).isPositive();
        });
        assertThat(status.members())
                .filteredOn(member -> member.role() == MemberRole.LEADER)
                .extracting(MemberStatus::name)
                .containsExactly(status.leader());
        assertThat(status.clusterId()).matches("[0-9a-f]{1,16}");
        assertThat(status.clusterVersion()).startsWith("3.6");
        assertThat(status.endpoints()).containsExactly("http://my-cluster-client." + cluster.namespace() + ".svc:2379");
    }

    private static void columnsAnswerIsItWell(TestCluster cluster) {
        String[] lines = kubectl("get", "etcd", "-n", cluster.namespace()).split("\n");
        assertThat(lines[0].split("\\s+"))
                .containsExactly("NAME", "VERSION", "READY", "DESIRED", "LEADER", "STATUS", "AGE");
        assertThat(lines[1].split("\\s+"))
                .startsWith("my-cluster", "3.6.16", "3", "3", cluster.status().leader(), "Healthy");
        String scale =
                kubectl("get", "-n", cluster.namespace(), "--subresource=scale", "etcd/my-cluster", "-o", "json");
        assertThat(scale).contains("\"replicas\": 3", "cluster-name=my-cluster");
    }

    private static void peersSayWhoTheyAre(TestCluster cluster) {
        eventually()
                .untilAsserted(() -> assertThat(cluster.peers()).hasSize(3).allSatisfy((EtcdPeer peer) -> {
                    String name = peer.getMetadata().getName();
                    assertThat(peer.getStatus().phase()).isEqualTo(PeerPhase.RUNNING);
                    assertThat(peer.getStatus().serverVersion()).isEqualTo("3.6.16");
                    assertThat(peer.getStatus().memberId())
                            .isEqualTo(cluster.memberIds().get(name));
                    assertThat(peer.getStatus().node())
                            .isEqualTo(cluster.pod(name).getSpec().getNodeName());
                }));
    }

    private static void eachThingDoneIsAnEvent(TestCluster cluster) {
        eventually().untilAsserted(() -> {
            assertThat(cluster.events())
                    .extracting(Event::getMessage)
                    .contains(
                            "Bootstrapping my-cluster-0, my-cluster-1, my-cluster-2",
                            "Created Service my-cluster",
                            "Created Service my-cluster-client",
                            "Created PodDisruptionBudget my-cluster",
                            "Created PersistentVolumeClaim my-cluster-0",
                            "Created EtcdPeer my-cluster-2");
            assertThat(cluster.eventReasons()).contains("MemberJoined", "Available", "BootstrapFinished");
            assertThat(cluster.events()).extracting(Event::getType).containsOnly("Normal");
        });
    }

    private static void podsAreHarmlessAndSpread(TestCluster cluster) {
        List<Pod> pods = cluster.pods();
        assertThat(pods).extracting(pod -> pod.getSpec().getNodeName()).doesNotHaveDuplicates();
        assertThat(pods).allSatisfy(pod -> {
            var container = pod.getSpec().getContainers().getFirst();
            assertThat(pod.getSpec().getSecurityContext().getRunAsNonRoot()).isTrue();
            assertThat(container.getSecurityContext().getReadOnlyRootFilesystem())
                    .isTrue();
            assertThat(container.getEnv())
                    .filteredOn(variable -> variable.getName().equals("GOMAXPROCS"))
                    .extracting(EnvVar::getValue)
                    .containsExactly("1");
            assertThat(container.getLivenessProbe()).isNull();
            assertThat(pod.getMetadata().getAnnotations()).containsEntry("prometheus.io/port", "2381");
        });
    }

    /** By the client service, and by the name of each member. */
    private static void otherPodsReachIt(TestCluster cluster) {
        String names = "http://my-cluster-0.my-cluster:2379,http://my-cluster-1.my-cluster:2379,"
                + "http://my-cluster-2.my-cluster:2379,"
                + cluster.status().endpoints().getFirst();
        KUBE.resource(etcdctl(cluster.namespace(), "--endpoints=" + names, "endpoint", "health"))
                .create();
        eventually()
                .untilAsserted(() -> assertThat(KUBE.pods()
                                .inNamespace(cluster.namespace())
                                .withName("client")
                                .get()
                                .getStatus()
                                .getPhase())
                        .isEqualTo("Succeeded"));
    }

    private static Pod etcdctl(String namespace, String... arguments) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("client")
                .endMetadata()
                .withNewSpec()
                .withRestartPolicy("OnFailure")
                .withNewSecurityContext()
                .withRunAsNonRoot(true)
                .withRunAsUser(65532L)
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                .addNewContainer()
                .withName("etcdctl")
                .withImage("quay.io/coreos/etcd:v3.6.16")
                .withCommand("/usr/local/bin/etcdctl")
                .withArgs(arguments)
                .withNewSecurityContext()
                .withAllowPrivilegeEscalation(false)
                .withNewCapabilities()
                .withDrop("ALL")
                .endCapabilities()
                .endSecurityContext()
                .endContainer()
                .endSpec()
                .build();
    }
}
