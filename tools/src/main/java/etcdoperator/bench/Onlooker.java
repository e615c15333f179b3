package etcdoperator.bench;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.Watchable;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Sees from outside how etcd comes up in one namespace: by watches, and by asking each pod for its health as soon as it
 * has an address. It is the same for the operator's clusters and for plain ones, so neither is judged by its own word.
 */
final class Onlooker implements AutoCloseable {
    private static final int FEW = 3;

    private final Marks marks;
    private final Duration interval;
    private final List<Watch> watches = new ArrayList<>();
    private final Set<String> asked = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** @param pods how many there will be, over all clusters of the namespace */
    Onlooker(KubernetesClient client, String namespace, int pods) {
        this.marks = new Marks(pods);
        // Often enough to tell small differences, and not so often that many pods are slowed by being watched.
        this.interval = Duration.ofMillis(pods <= FEW ? 50 : 200);
        follow(client.pods().inNamespace(namespace), this::see);
        follow(client.persistentVolumeClaims().inNamespace(namespace), this::see);
        follow(client.apps().replicaSets().inNamespace(namespace), set -> note(Milestone.REPLICA_SETS_MADE, set));
        follow(client.resources(EtcdPeer.class).inNamespace(namespace), peer -> note(Milestone.PEERS_MADE, peer));
        follow(client.resources(EtcdCluster.class).inNamespace(namespace), this::see);
    }

    Marks marks() {
        return marks;
    }

    @Override
    public void close() {
        closed = true;
        watches.forEach(Watch::close);
    }

    private <T extends HasMetadata> void follow(Watchable<T> objects, Consumer<T> see) {
        watches.add(objects.watch(new Watcher<T>() {
            @Override
            public void eventReceived(Action action, T object) {
                if (action == Action.ADDED || action == Action.MODIFIED) {
                    see.accept(object);
                }
            }

            @Override
            public void onClose(WatcherException cause) {
                System.err.println("  a watch ended: " + cause.getMessage());
            }
        }));
    }

    private void see(PersistentVolumeClaim claim) {
        note(Milestone.CLAIMS_MADE, claim);
        if ("Bound".equals(claim.getStatus().getPhase())) {
            note(Milestone.CLAIMS_BOUND, claim);
        }
    }

    private void see(Pod pod) {
        note(Milestone.PODS_MADE, pod);
        if (pod.getSpec().getNodeName() != null) {
            note(Milestone.PODS_SCHEDULED, pod);
        }
        if (pod.getStatus().getContainerStatuses().stream()
                .anyMatch(container -> container.getState().getRunning() != null)) {
            note(Milestone.PODS_RUNNING, pod);
        }
        if (pod.getStatus().getConditions().stream()
                .anyMatch(condition -> condition.getType().equals("Ready")
                        && condition.getStatus().equals("True"))) {
            note(Milestone.PODS_READY, pod);
        }
        String address = pod.getStatus().getPodIP();
        if (address != null && asked.add(pod.getMetadata().getUid())) {
            Thread.ofVirtual().start(() -> askUntilHealthy(pod, address));
        }
    }

    /** A status that says all is well counts for each of the cluster's members. */
    private void see(EtcdCluster cluster) {
        var status = cluster.getStatus();
        if (status == null) {
            return;
        }
        int replicas = cluster.getSpec().replicas();
        boolean available = status.conditions().stream()
                .anyMatch(condition -> condition.getType().equals("Available")
                        && condition.getStatus().equals("True"));
        if (available && Integer.valueOf(replicas).equals(status.readyReplicas())) {
            for (int member = 0; member < replicas; member++) {
                marks.note(Milestone.REPORTED, cluster.getMetadata().getName() + "-" + member);
            }
        }
    }

    private void note(Milestone milestone, HasMetadata object) {
        marks.note(milestone, object.getMetadata().getName());
    }

    private void askUntilHealthy(Pod pod, String address) {
        var health = URI.create("http://" + (address.contains(":") ? "[" + address + "]" : address) + ":2381/health");
        while (!closed) {
            if (isHealthy(health)) {
                note(Milestone.HEALTHY, pod);
                return;
            }
            try {
                Thread.sleep(interval);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static boolean isHealthy(URI health) {
        try {
            var connection = (HttpURLConnection) health.toURL().openConnection();
            connection.setConnectTimeout(1_000);
            connection.setReadTimeout(2_000);
            try (var body = connection.getInputStream()) {
                return new String(body.readAllBytes(), StandardCharsets.UTF_8).contains("\"health\":\"true\"");
            }
        } catch (IOException e) {
            return false;
        }
    }
}
