package etcdoperator.e2e;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.e2e.fixture.Identity;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.Writers;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Everything that reaches a pod can be changed on a living cluster. */
@Execution(ExecutionMode.CONCURRENT)
class SettingsIT {
    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @Test
    void severalChangesMakeOneRollAndTheLeaderIsTheLast() {
        TestCluster cluster =
                namespace.cluster("settings", TestCluster.members(3)).create().awaitHealthy();
        cluster.lead("settings-1");
        Identity before = Identity.of(cluster);
        Set<String> pods = uids(cluster);
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(20);
            cluster.change(Map.of(
                    "etcd",
                    Map.of(
                            "quotaBackendBytes",
                            67108864,
                            "extraArgs",
                            Map.of("experimental-corrupt-check-time", "1h", "log-level", "warn")),
                    "podTemplate",
                    Map.of("metadata", Map.of("annotations", Map.of("team", "storage")))));
            cluster.awaitHealthy();
            writers.awaitMore(20);
            writers.stop();
            writers.assertNothingLost();
        }
        assertThat(Identity.of(cluster)).isEqualTo(before);
        // The kubelet may still be about to forget the pod that was stopped last.
        eventually().untilAsserted(() -> assertThat(uids(cluster)).hasSize(3).doesNotContainAnyElementsOf(pods));
        assertThat(cluster.pods()).allSatisfy(pod -> {
            assertThat(pod.getMetadata().getAnnotations()).containsEntry("team", "storage");
            assertThat(pod.getSpec().getContainers().getFirst().getArgs())
                    .contains("--quota-backend-bytes=67108864", "--corrupt-check-time=1h", "--log-level=warn");
        });
        assertThat(cluster.pods().stream()
                        .sorted(Comparator.comparing(pod -> pod.getMetadata().getCreationTimestamp()))
                        .map(pod -> pod.getMetadata().getLabels().get("etcd.improbable.io/peer-name")))
                .last()
                .isEqualTo("settings-1");
        assertThat(restarts(cluster)).hasSize(3);
    }

    @Test
    void nothingIsDoneWhileItIsPaused() {
        TestCluster cluster =
                namespace.cluster("paused", TestCluster.members(3)).create().awaitHealthy();
        Set<String> pods = uids(cluster);
        cluster.change(Map.of("paused", true, "replicas", 1, "etcd", Map.of("snapshotCount", 5000)));
        eventually().untilAsserted(() -> {
            assertThat(cluster.is("Paused")).as(cluster.conditions()).isTrue();
            assertThat(cluster.status().observedGeneration())
                    .isEqualTo(cluster.object().getMetadata().getGeneration());
        });
        assertThat(uids(cluster)).isEqualTo(pods);
        assertThat(cluster.peers()).hasSize(3);

        cluster.change(Map.of("paused", false));
        cluster.awaitSize(1);
        assertThat(cluster.is("Paused")).isFalse();
        assertThat(cluster.pods()
                        .getFirst()
                        .getSpec()
                        .getContainers()
                        .getFirst()
                        .getArgs())
                .contains("--snapshot-count=5000");
    }

    @Test
    void volumesGrowWhereTheirClassAllowsItAndNeverShrink() {
        String storageClass = ownStorageClass();
        TestCluster cluster = namespace
                .cluster("storage", EtcdClusterSpec.of(1, TestCluster.VERSION, TestCluster.storage(storageClass)))
                .create()
                .awaitHealthy();
        assertThatThrownBy(() -> cluster.change(storage("10Mi"))).hasMessageContaining("spec.storage");
        cluster.change(storage("60Mi"));
        eventually().untilAsserted(() -> {
            assertThat(cluster.condition("Degraded").getReason())
                    .as(cluster.conditions())
                    .isEqualTo("Refused");
            assertThat(cluster.condition("Degraded").getMessage()).contains("resize");
        });
        assertThat(cluster.is("Available")).isTrue();
        allowExpansion(storageClass);
        eventually()
                .untilAsserted(() -> assertThat(cluster.claims())
                        .allSatisfy(claim -> assertThat(claim.getSpec()
                                        .getResources()
                                        .getRequests()
                                        .get("storage"))
                                .isEqualTo(new Quantity("60Mi"))));
        cluster.awaitHealthy();
        KUBE.storage().v1().storageClasses().withName(storageClass).delete();
    }

    /** As the usual one, and nobody else's. */
    private String ownStorageClass() {
        var usual = KUBE.storage().v1().storageClasses().withName("standard").get();
        KUBE.resource(new StorageClassBuilder(usual)
                        .withNewMetadata()
                        .withName(namespace.name())
                        .endMetadata()
                        .withAllowVolumeExpansion(false)
                        .build())
                .create();
        return namespace.name();
    }

    private static Map<String, Object> storage(String size) {
        return Map.of(
                "storage",
                Map.of("volumeClaimTemplate", Map.of("resources", Map.of("requests", Map.of("storage", size)))));
    }

    private static void allowExpansion(String storageClass) {
        KUBE.storage()
                .v1()
                .storageClasses()
                .withName(storageClass)
                .edit(found -> found.edit().withAllowVolumeExpansion(true).build());
    }

    private static Set<String> uids(TestCluster cluster) {
        return cluster.pods().stream()
                .map(Pod::getMetadata)
                .map(m -> m.getUid())
                .collect(Collectors.toSet());
    }

    private static List<Event> restarts(TestCluster cluster) {
        return cluster.events().stream()
                .filter(event -> event.getReason().equals("MemberRestarted"))
                .toList();
    }
}
