package etcdoperator.contract.kube;

import static org.awaitility.Awaitility.await;

import etcdoperator.api.EtcdRestore;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.fabric.KubeConnection;
import etcdoperator.manifest.OperatorPods;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whose turn it is when something becomes of somebody else, told by a real API server. */
class WakingIT {
    private static final Duration SOON = Duration.ofMinutes(1);

    /** The backup is on a claim that nobody has made, so that it waits. */
    private static final String RESTORE = """
            apiVersion: etcd.improbable.io/v1alpha1
            kind: EtcdRestore
            metadata: {name: back}
            spec:
              source: {volume: {claimName: nobody-made-it, path: a.db}}
              clusterTemplate:
                clusterName: c
                spec:
                  replicas: 1
                  version: 3.6.16
                  storage: {volumeClaimTemplate: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Mi}}}}
            """;

    private final String namespace = "waking-" + UUID.randomUUID().toString().substring(0, 8);
    private final KubernetesClient client = new KubernetesClientBuilder().build();
    private final Set<ObjectKey> woken = ConcurrentHashMap.newKeySet();
    private final KubeConnection connection = new KubeConnection(
            client,
            Set.of(namespace),
            OperatorPods.USUAL,
            "waking",
            new KubeConnection.Wakers(cluster -> {}, peer -> {}, backup -> {}, schedule -> {}, woken::add));

    @BeforeEach
    void aRestoreThatWaits() {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        EtcdRestore asked = client.resource(Serialization.unmarshal(RESTORE, EtcdRestore.class))
                .inNamespace(namespace)
                .create();
        await().atMost(SOON)
                .until(() ->
                        client.pods().inNamespace(namespace).list().getItems().size() == 1
                                && client.resource(asked).get().getStatus() != null);
    }

    @AfterEach
    void tidyUp() {
        connection.close();
        client.namespaces().withName(namespace).delete();
        client.close();
    }

    /** It waits for members to end, or to come up. */
    @Test
    void whatIsOfAClusterWakesTheRestoreOfIt() {
        connection.fillCaches();
        var key = new ObjectKey(namespace, "back");
        await().atMost(SOON).until(() -> woken.remove(key));
        client.resource(new Things(namespace).claim(Things.OURS)).create();
        await().atMost(SOON).until(() -> woken.contains(key));
    }
}
