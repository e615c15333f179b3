package etcdoperator.e2e;

import static etcdoperator.e2e.Patience.eventually;
import static etcdoperator.e2e.Testbed.KUBE;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreStatus;
import etcdoperator.api.EtcdRestoreStatus.RestorePhase;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;

/** An EtcdRestore, as Kubernetes has it, and what a test waits for. */
record TestRestore(TestNamespace namespace, String name) {
    /** Into a new cluster, whose version is the one recorded with the backup. */
    static TestRestore create(TestNamespace namespace, String name, String source, String cluster, int replicas) {
        return create(namespace, name, source, cluster, replicas, "");
    }

    /** @param more fields of the cluster's spec, each with a comma before it */
    static TestRestore create(
            TestNamespace namespace, String name, String source, String cluster, int replicas, String more) {
        namespace.apply("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdRestore
                metadata: {name: %s}
                spec:
                  source:
                %s  clusterTemplate:
                    clusterName: %s
                    spec: {replicas: %d, storage: {volumeClaimTemplate: {storageClassName: standard, resources: {requests: {storage: 50Mi}}}}%s}
                """.formatted(name, source.indent(4), cluster, replicas, more));
        return new TestRestore(namespace, name);
    }

    static TestRestore inPlace(TestNamespace namespace, String name, String source, String cluster) {
        namespace.apply("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdRestore
                metadata: {name: %s}
                spec:
                  source:
                %s  clusterTemplate: {clusterName: %s}
                  inPlace: true
                """.formatted(name, source.indent(4), cluster));
        return new TestRestore(namespace, name);
    }

    EtcdRestoreStatus awaitCompleted() {
        return await(RestorePhase.COMPLETED);
    }

    /** @return what people are told */
    String awaitFailed() {
        await(RestorePhase.FAILED);
        return sentence();
    }

    List<Pod> pods() {
        return KUBE.pods()
                .inNamespace(namespace.name())
                .withLabel("etcd.improbable.io/restore", name)
                .list()
                .getItems();
    }

    EtcdRestore object() {
        return KUBE.resources(EtcdRestore.class)
                .inNamespace(namespace.name())
                .withName(name)
                .get();
    }

    /** All conditions, as people read them. */
    String sentence() {
        return object().getStatus().conditions().stream()
                .map(condition -> condition.getMessage())
                .reduce("", (one, other) -> one + "\n" + other);
    }

    private EtcdRestoreStatus await(RestorePhase phase) {
        eventually().untilAsserted(() -> {
            EtcdRestoreStatus status = object().getStatus();
            assertThat(status).isNotNull();
            assertThat(status.phase()).as(sentence()).isEqualTo(phase);
        });
        return object().getStatus();
    }
}
