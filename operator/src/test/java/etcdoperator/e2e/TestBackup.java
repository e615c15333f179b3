package etcdoperator.e2e;

import static etcdoperator.e2e.Patience.eventually;
import static etcdoperator.e2e.Testbed.KUBE;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.api.backup.EtcdBackupStatus.BackupPhase;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** An EtcdBackup, as Kubernetes has it, and what a test waits for. */
record TestBackup(TestNamespace namespace, String name) {
    /** @param destination a block of a manifest, such as a {@link Bucket} has @param more further lines of the spec */
    static TestBackup create(TestNamespace namespace, String name, String source, String destination, String... more) {
        namespace.apply("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackup
                metadata: {name: %s}
                spec:
                  source: %s
                  destination:
                %s  %s
                """.formatted(name, source, destination.indent(4), String.join("\n  ", more)));
        return new TestBackup(namespace, name);
    }

    EtcdBackupStatus awaitCompleted() {
        return await(BackupPhase.COMPLETED);
    }

    /** @return what people are told */
    String awaitFailed() {
        await(BackupPhase.FAILED);
        return sentence();
    }

    /** Waits until an agent has stored something, but not all. */
    void awaitMiddle() {
        eventually().pollInterval(Duration.ofMillis(20)).until(() -> {
            var status = Objects.requireNonNull(object()).getStatus();
            assertThat(status == null ? null : status.phase())
                    .as("there was no middle")
                    .isNotEqualTo(BackupPhase.COMPLETED);
            return status != null && status.transferredBytes() != null && status.transferredBytes() > 0;
        });
    }

    List<Pod> pods() {
        return KUBE.pods()
                .inNamespace(namespace.name())
                .withLabel("etcd.improbable.io/backup", name)
                .list()
                .getItems();
    }

    EtcdBackup object() {
        return KUBE.resources(EtcdBackup.class)
                .inNamespace(namespace.name())
                .withName(name)
                .get();
    }

    void delete() {
        KUBE.resources(EtcdBackup.class)
                .inNamespace(namespace.name())
                .withName(name)
                .delete();
    }

    void awaitGone() {
        eventually().until(() -> object() == null);
    }

    List<Event> events() {
        return KUBE.v1()
                .events()
                .inNamespace(namespace.name())
                .withField("involvedObject.name", name)
                .list()
                .getItems();
    }

    /** All conditions, as people read them. */
    String sentence() {
        return object().getStatus().conditions().stream()
                .map(condition -> condition.getMessage())
                .reduce("", (one, other) -> one + "\n" + other);
    }

    private EtcdBackupStatus await(BackupPhase phase) {
        eventually().untilAsserted(() -> {
            EtcdBackupStatus status = object().getStatus();
            assertThat(status).isNotNull();
            assertThat(status.phase()).as(sentence()).isEqualTo(phase);
        });
        return object().getStatus();
    }
}
