package io.improbable.etcd.e2e;

import static io.improbable.etcd.e2e.Patience.eventually;
import static io.improbable.etcd.e2e.Testbed.KUBE;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.readiness.Readiness;
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
        eventually()
                .until(() -> pods().stream()
                        .anyMatch(pod -> pod.getMetadata().getName().equals(leader())));
    }

    void awaitReady(int replicas) {
        eventually().until(() -> pods().size() == replicas && pods().stream().allMatch(Readiness::isPodReady));
    }

    /** As a crash of its node would: no time to say goodbye. */
    void kill() {
        pods().forEach(pod -> KUBE.resource(pod).withGracePeriod(0).delete());
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
        return Optional.ofNullable(KUBE.leases()
                        .inNamespace(namespace)
                        .withName("etcd-operator")
                        .get())
                .map(lease -> lease.getSpec().getHolderIdentity())
                .orElse("");
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
