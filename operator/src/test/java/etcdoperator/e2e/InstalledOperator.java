package etcdoperator.e2e;

import static etcdoperator.e2e.Patience.eventually;
import static etcdoperator.e2e.Testbed.KUBE;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The operator under test: a Deployment, as people install it. */
record InstalledOperator(String namespace, String name) {
    /** The one that tends all namespaces for all tests. */
    static final InstalledOperator SHARED = new InstalledOperator("etcd-operator-system", "etcd-operator");

    /** Returns when no process of it is left. */
    void stop() {
        scale(0);
        eventually().until(() -> pods().isEmpty());
    }

    void start() {
        start(1);
    }

    /** Returns when every replica is ready and one of them leads. */
    void start(int replicas) {
        scale(replicas);
        awaitReady(replicas);
        awaitLeader();
    }

    void awaitReady(int replicas) {
        eventually().until(() -> pods().size() == replicas && pods().stream().allMatch(Readiness::isPodReady));
    }

    void awaitLeader() {
        eventually().until(() -> pods().stream().anyMatch(this::leads));
    }

    /** Ends it without a word. Its lease goes at once, for waiting until it runs out would only take time. */
    void crash() {
        pods().forEach(pod -> {
            HostProcess.of(pod).kill();
            KUBE.resource(pod).withGracePeriod(0).delete();
        });
        deleteLease();
    }

    void deleteLease() {
        KUBE.leases().inNamespace(namespace).withName("etcd-operator").delete();
    }

    List<Pod> pods() {
        return KUBE.pods()
                .inNamespace(namespace)
                .withLabels(Map.of("app.kubernetes.io/name", "etcd-operator"))
                .list()
                .getItems();
    }

    /** The pod that holds the lease, or an empty name. */
    String leader() {
        return lease().map(lease -> lease.getSpec().getHolderIdentity()).orElse("");
    }

    /** For how long the lease holds without being renewed; a second, once its holder has given it back. */
    Duration leaseDuration() {
        return lease().map(lease -> Duration.ofSeconds(lease.getSpec().getLeaseDurationSeconds()))
                .orElse(Duration.ZERO);
    }

    private Optional<Lease> lease() {
        return Optional.ofNullable(
                KUBE.leases().inNamespace(namespace).withName("etcd-operator").get());
    }

    /** Whether this process acts, by its own account; one that has ended does not. */
    boolean leads(Pod pod) {
        return ask(pod, "/metrics")
                .map(metrics -> metrics.lines().anyMatch("etcd_operator_leading 1.0"::equals))
                .orElse(false);
    }

    /** @return what it answers, or nothing if it does not */
    Optional<String> ask(Pod pod, String path) {
        URI uri = URI.create("http://" + pod.getStatus().getPodIP() + ":8080" + path);
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest request =
                    HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(5)).build();
            return Optional.of(
                    http.send(request, HttpResponse.BodyHandlers.ofString()).body());
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    String log(Pod pod) {
        return KUBE.pods()
                .inNamespace(namespace)
                .withName(pod.getMetadata().getName())
                .getLog();
    }

    private void scale(int replicas) {
        KUBE.apps().deployments().inNamespace(namespace).withName(name).scale(replicas);
    }
}
