package etcdoperator.e2e;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdPeer;
import etcdoperator.e2e.fixture.HostProcess;
import etcdoperator.e2e.fixture.Identity;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.Testbed;
import etcdoperator.e2e.fixture.Writers;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What people and crashes do to the parts of a cluster that runs. */
@Execution(ExecutionMode.CONCURRENT)
class SelfHealingIT {
    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @Test
    void podsAndContainersThatEndComeBackOnTheirData() {
        TestCluster cluster =
                namespace.cluster("ends", TestCluster.members(3)).create().awaitHealthy();
        Identity before = Identity.of(cluster);
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(20);

            Pod one = cluster.pod("ends-1");
            KUBE.resource(one).delete();
            isReplaced(one, cluster);
            cluster.awaitHealthy();
            writers.awaitMore(20);

            HostProcess.of(cluster.pod(cluster.status().leader())).kill();
            writers.awaitMore(20);
            cluster.awaitHealthy();

            cluster.peerNames().stream()
                    .map(cluster::pod)
                    .map(HostProcess::of)
                    .toList()
                    .forEach(HostProcess::kill);
            writers.awaitMore(20);
            cluster.awaitHealthy();

            Pod first = cluster.pod("ends-0");
            KUBE.pods().inNamespace(namespace.name()).delete();
            isReplaced(first, cluster);
            cluster.awaitHealthy();
            writers.awaitMore(20);

            writers.stop();
            assertThat(Identity.of(cluster)).isEqualTo(before);
            writers.assertNothingLost();
        }
    }

    @Test
    void whatIsDeletedByHandComesBack() {
        TestCluster cluster =
                namespace.cluster("gone", TestCluster.members(3)).create().awaitHealthy();
        Identity before = Identity.of(cluster);
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(20);

            String peer = uid(peer("gone-2").get());
            KUBE.resource(peer("gone-2").get()).delete();
            String service = uid(service());
            KUBE.resource(service()).delete();
            String budget = uid(budget());
            KUBE.resource(budget()).delete();

            eventually().until(() -> isAnother(peer, peer("gone-2")));
            eventually().until(() -> isAnother(service, this::service));
            eventually().until(() -> isAnother(budget, this::budget));
            cluster.awaitHealthy();
            writers.awaitMore(20);
            writers.stop();
            assertThat(Identity.of(cluster)).isEqualTo(before);
            writers.assertNothingLost();
        }
    }

    @Test
    void whatIsEditedByHandIsPutRight() {
        TestCluster cluster =
                namespace.cluster("gone", TestCluster.members(1)).create().awaitHealthy();

        edit("service/gone", "{\"spec\": {\"selector\": {\"etcd.improbable.io/cluster-name\": \"other\"}}}");
        edit("pdb/gone", "{\"spec\": {\"maxUnavailable\": 1}}");

        eventually().untilAsserted(() -> {
            assertThat(service().getSpec().getSelector()).isEqualTo(Map.of("etcd.improbable.io/cluster-name", "gone"));
            assertThat(budget().getSpec().getMaxUnavailable().getIntVal()).isZero();
        });
        cluster.awaitHealthy();
    }

    private void edit(String object, String patch) {
        Testbed.kubectl("patch", "-n", namespace.name(), object, "--type=merge", "-p", patch);
    }

    private static void isReplaced(Pod pod, TestCluster cluster) {
        String peer = pod.getMetadata().getLabels().get("etcd.improbable.io/peer-name");
        eventually().until(() -> !uid(cluster.pod(peer)).equals(uid(pod)));
    }

    private static boolean isAnother(String uid, Supplier<? extends HasMetadata> now) {
        var found = now.get();
        return found != null
                && found.getMetadata().getDeletionTimestamp() == null
                && !uid(found).equals(uid);
    }

    private Supplier<EtcdPeer> peer(String name) {
        return () -> KUBE.resources(EtcdPeer.class)
                .inNamespace(namespace.name())
                .withName(name)
                .get();
    }

    private Service service() {
        return KUBE.services().inNamespace(namespace.name()).withName("gone").get();
    }

    private PodDisruptionBudget budget() {
        return KUBE.policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace(namespace.name())
                .withName("gone")
                .get();
    }

    private static String uid(HasMetadata object) {
        return object.getMetadata().getUid();
    }
}
