package etcdoperator.e2e;

import static etcdoperator.e2e.Patience.eventually;
import static etcdoperator.e2e.Testbed.KUBE;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreStatus;
import etcdoperator.api.EtcdRestoreStatus.RestorePhase;
import etcdoperator.api.RecoverySpec;
import etcdoperator.api.RecoverySpec.QuorumLossPolicy;
import io.fabric8.kubernetes.api.model.Event;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What the operator makes and says when a cluster has lost most voters, and what a test waits for. */
record TestRecovery(TestCluster cluster) {
    /** By itself, and as soon as may be. */
    static final RecoverySpec AUTOMATIC = new RecoverySpec(null, QuorumLossPolicy.AUTOMATIC, "10s");

    private static final String RECOVERS = "etcd.improbable.io/recovers";

    /** EtcdRestores that were made for it; usually one, or none. */
    List<EtcdRestore> restores() {
        return KUBE.resources(EtcdRestore.class).inNamespace(cluster.namespace()).list().getItems().stream()
                .filter(restore -> Optional.ofNullable(restore.getMetadata().getAnnotations())
                        .filter(said -> said.containsKey(RECOVERS))
                        .isPresent())
                .filter(restore -> cluster.name()
                        .equals(restore.getSpec().clusterTemplate().clusterName()))
                .toList();
    }

    /** @return why, as people are told; by the Event, for the condition may be over soon */
    String awaitLoss() {
        return eventually()
                .until(
                        () -> cluster.events().stream()
                                .filter(event -> event.getReason().equals("QuorumLost"))
                                .map(Event::getMessage)
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /** @return what people are told who have to do something */
    String awaitQuestion() {
        eventually().untilAsserted(() -> {
            assertThat(cluster.condition("Degraded").getReason())
                    .as(cluster.conditions())
                    .isEqualTo("MajorityLost");
            assertThat(cluster.is("Available")).isFalse();
        });
        return cluster.condition("Degraded").getMessage();
    }

    EtcdRestoreStatus awaitCompleted() {
        eventually().untilAsserted(() -> {
            assertThat(restores()).as(cluster.conditions()).hasSize(1);
            assertThat(status().phase()).as(said()).isEqualTo(RestorePhase.COMPLETED);
        });
        return status();
    }

    /** Of the only EtcdRestore. */
    EtcdRestoreStatus status() {
        return Objects.requireNonNullElse(restores().getFirst().getStatus(), EtcdRestoreStatus.EMPTY);
    }

    String said() {
        return status().conditions().stream()
                .map(condition -> condition.getMessage())
                .reduce("", (one, other) -> one + "\n" + other);
    }

    /** How far it has come; each word is a place where an operator may end. */
    String moment() {
        return restores().stream()
                .findFirst()
                .map(restore -> Objects.requireNonNullElse(restore.getStatus(), EtcdRestoreStatus.EMPTY))
                .map(status -> "%s %s".formatted(status.phase(), status.stage()))
                .orElseGet(() -> "lost: " + cluster.is("QuorumLost"));
    }

    boolean isCompleted() {
        return restores().stream()
                .anyMatch(restore ->
                        restore.getStatus() != null && restore.getStatus().phase() == RestorePhase.COMPLETED);
    }

    /** As people do, with the command that they are told. */
    void choose(String choice) {
        Testbed.kubectl(
                "annotate",
                "--overwrite",
                "--namespace",
                cluster.namespace(),
                "etcd",
                cluster.name(),
                "etcd.improbable.io/recover=" + choice);
    }
}
