package etcdoperator.e2e;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.ImageSpec;
import etcdoperator.e2e.fixture.NodeGate;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.Testbed;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What only the operator can see: condition and Event say the same sentence, and all heals when the cause goes. */
@Execution(ExecutionMode.CONCURRENT)
class ObstaclesIT {
    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @Test
    void anImageThatIsNotThere() {
        String repository = "registry.example/" + namespace.name();
        TestCluster cluster = namespace
                .cluster("image", TestCluster.members(1).withImage(new ImageSpec(repository, null)))
                .create();
        String image = repository + ":v" + TestCluster.VERSION;
        says(cluster, "ImageUnavailable", image);

        Testbed.tagImage("quay.io/coreos/etcd:v" + TestCluster.VERSION, image);
        cluster.awaitHealthy();
        Testbed.removeImage(image);
        isTold(cluster, "Recovered");
    }

    @Test
    void aStorageClassThatIsNotThere() {
        String name = namespace.name();
        TestCluster cluster = namespace
                .cluster("class", EtcdClusterSpec.of(1, TestCluster.VERSION, TestCluster.storage(name)))
                .create();
        says(cluster, "VolumeUnavailable", name);

        StorageClass standard =
                KUBE.storage().v1().storageClasses().withName("standard").get();
        StorageClass added = new StorageClassBuilder(standard)
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build();
        KUBE.resource(added).create();
        cluster.awaitHealthy();
        KUBE.resource(added).delete();
        isTold(cluster, "Recovered");
    }

    @Test
    void noNodeThatTakesThePods() {
        try (NodeGate gate = NodeGate.of(namespace)) {
            TestCluster cluster =
                    namespace.cluster("gated", gate.threeMembers()).create();
            says(cluster, "PodUnschedulable", "No node takes pod gated-");

            gate.openAll();
            cluster.awaitHealthy();
            isTold(cluster, "Recovered");
        }
    }

    @Test
    void aQuotaThatRefusesClaims() {
        ResourceQuota quota = quota("persistentvolumeclaims");
        TestCluster cluster = namespace.cluster("quota", TestCluster.members(1)).create();
        says(cluster, "Refused", "exceeded quota");

        KUBE.resource(quota).delete();
        cluster.awaitHealthy();
        isTold(cluster, "Recovered");
    }

    @Test
    void aQuotaThatRefusesPods() {
        ResourceQuota quota = quota("pods");
        TestCluster cluster = namespace.cluster("quota", TestCluster.members(1)).create();
        says(cluster, "PodRefused", "exceeded quota");

        KUBE.resource(quota).delete();
        cluster.awaitHealthy();
        isTold(cluster, "Recovered");
    }

    /** Those who are there serve on; and the wish can be taken back, or granted. */
    @Test
    void aQuotaThatRefusesTheNextMember() {
        TestCluster cluster =
                namespace.cluster("next", TestCluster.members(1)).create().awaitHealthy();
        ResourceQuota quota = quota("pods", 1);
        for (int size : List.of(1, 2)) {
            cluster.scale(2);
            eventually().untilAsserted(() -> {
                assertThat(cluster.condition("Degraded").getReason())
                        .as(cluster.conditions())
                        .isEqualTo("PodRefused");
                assertThat(cluster.is("Available")).isTrue();
            });
            if (size == 2) {
                KUBE.resource(quota).delete();
            }
            cluster.scale(size);
            cluster.awaitSize(size);
        }
    }

    private ResourceQuota quota(String resource) {
        return quota(resource, 0);
    }

    private ResourceQuota quota(String resource, int limit) {
        ResourceQuota quota = KUBE.resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace.name())
                        .withName("none")
                        .endMetadata()
                        .withNewSpec()
                        .withHard(Map.of(resource, new Quantity(Integer.toString(limit))))
                        .endSpec()
                        .build())
                .create();
        eventually().until(() -> isRefused(probe(resource)));
        return quota;
    }

    /** The API server counts by a cache of its own: a quota holds only some time after it was made. */
    private static boolean isRefused(HasMetadata object) {
        try {
            KUBE.resource(object).dryRun(true).create();
            return false;
        } catch (KubernetesClientException e) {
            return e.getMessage().contains("exceeded quota");
        }
    }

    private HasMetadata probe(String resource) {
        var metadata = new ObjectMetaBuilder()
                .withNamespace(namespace.name())
                .withName("probe")
                .build();
        return switch (resource) {
            case "pods" ->
                new PodBuilder()
                        .withMetadata(metadata)
                        .withNewSpec()
                        .withNewSecurityContext()
                        .withRunAsNonRoot(true)
                        .withNewSeccompProfile(null, "RuntimeDefault")
                        .endSecurityContext()
                        .addNewContainer()
                        .withName("probe")
                        .withImage("probe")
                        .withNewSecurityContext()
                        .withAllowPrivilegeEscalation(false)
                        .withNewCapabilities()
                        .withDrop("ALL")
                        .endCapabilities()
                        .endSecurityContext()
                        .endContainer()
                        .endSpec()
                        .build();
            case "persistentvolumeclaims" ->
                new PersistentVolumeClaimBuilder()
                        .withMetadata(metadata)
                        .withNewSpec()
                        .withAccessModes("ReadWriteOnce")
                        .withNewResources()
                        .addToRequests("storage", new Quantity("1Mi"))
                        .endResources()
                        .endSpec()
                        .build();
            default -> throw new IllegalArgumentException("no quota is tried on " + resource);
        };
    }

    private static void says(TestCluster cluster, String reason, String words) {
        eventually().untilAsserted(() -> {
            Condition degraded = cluster.condition("Degraded");
            assertThat(degraded.getStatus()).as(cluster.conditions()).isEqualTo("True");
            assertThat(degraded.getReason()).isEqualTo(reason);
            assertThat(degraded.getMessage()).contains(words);
            assertThat(cluster.events()).anySatisfy(event -> {
                assertThat(event.getType()).isEqualTo("Warning");
                assertThat(event.getReason()).isEqualTo(reason);
                assertThat(event.getMessage()).isEqualTo(degraded.getMessage());
            });
            assertThat(cluster.is("Available")).isFalse();
        });
    }

    private static void isTold(TestCluster cluster, String reason) {
        eventually().untilAsserted(() -> assertThat(cluster.eventReasons()).contains(reason));
    }
}
