package etcdoperator.e2e.backup;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.e2e.fixture.Bucket;
import etcdoperator.e2e.fixture.KubernetesOnEtcd;
import etcdoperator.e2e.fixture.TestBackup;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.TestRestore;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A Kubernetes whose data goes back in time. Its API server keeps all it has read, and its clients what they were told;
 * without bumped revisions none of them would notice, and each would go on with a world that is not there.
 */
class KubernetesDataIT {
    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @Test
    void anApiServerAndItsWatchersSeeThatTheirDataWereRestored() {
        Bucket bucket = Bucket.open(namespace);
        TestCluster cluster =
                namespace.cluster("data", TestCluster.members(3)).create().awaitHealthy();
        KubernetesOnEtcd kubernetes = KubernetesOnEtcd.start(namespace, cluster);
        try (KubernetesClient client = kubernetes.client();
                SharedIndexInformer<ConfigMap> watcher =
                        client.configMaps().inNamespace("default").inform()) {
            create(client, "kept", "lost-later");
            TestBackup.create(namespace, "night", "{cluster: data}", bucket.block("night.db"))
                    .awaitCompleted();
            client.configMaps().withName("lost-later").delete();
            create(client, "made-later");
            eventually()
                    .untilAsserted(() -> assertThat(names(watcher))
                            .contains("kept", "made-later")
                            .doesNotContain("lost-later"));

            TestRestore.inPlace(namespace, "back", "backup: night", "data").awaitCompleted();

            eventually().untilAsserted(() -> {
                assertThat(client.configMaps().withName("lost-later").get()).isNotNull();
                assertThat(client.configMaps().withName("made-later").get()).isNull();
                assertThat(names(watcher)).contains("kept", "lost-later").doesNotContain("made-later");
            });
            create(client, "anew");
            eventually().untilAsserted(() -> assertThat(names(watcher)).contains("anew"));
            cluster.awaitHealthy();
        }
    }

    private static void create(KubernetesClient client, String... names) {
        for (String name : names) {
            client.resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .endMetadata()
                            .build())
                    .create();
        }
    }

    private static Set<String> names(SharedIndexInformer<ConfigMap> watcher) {
        return watcher.getStore().list().stream()
                .map(map -> map.getMetadata().getName())
                .collect(Collectors.toSet());
    }
}
