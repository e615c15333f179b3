package io.improbable.etcd.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.improbable.etcd.api.EtcdBackup;
import io.improbable.etcd.api.EtcdBackupStatus;
import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.backup.BackupView.Keeping;
import io.improbable.etcd.kube.BackupCache.BackupObjects;
import io.improbable.etcd.kube.ClusterObjects;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FateTest {
    @ParameterizedTest(name = "backup says {0}, cluster says {1}, held {2}, owned {3}")
    @CsvSource({
        // backup, cluster, held, owned, then: erase, with cluster
        "-,      -,      false, false, false, false",
        "Delete, -,      false, false, true,  false",
        "Keep,   -,      true,  true,  false, false",
        "-,      Keep,   true,  true,  false, false",
        "-,      Delete, false, false, true,  true",
        "Keep,   Delete, false, false, false, false",
        "Delete, Delete, false, false, true,  true",
        "Delete, Keep,   false, false, true,  false",
        // Of a cluster that is gone holds what was written down.
        "-,      gone,   true,  true,  true,  true",
        "-,      gone,   false, false, false, false",
        "Keep,   gone,   true,  true,  false, true",
    })
    void followsTheBackupThenItsCluster(
            String own, String cluster, boolean held, boolean owned, boolean erase, boolean withCluster) {
        Keeping keeping = new Fate(objects(own, cluster, held, owned)).keeping();
        assertThat(keeping).isEqualTo(new Keeping(erase, withCluster, held, owned));
    }

    /** Deleting a cluster that happens to have the name of an earlier one must not take that one's backups along. */
    @ParameterizedTest
    @CsvSource({
        "2026-01-02T00:00:00Z, true",
        "2026-01-01T00:00:00Z, true",
        "2025-12-31T23:59:59Z, false",
    })
    void onlyTheClusterItWasTakenFromHasASay(String begun, boolean itsOwn) {
        BackupObjects objects = objects("-", "Delete", false, false);
        objects.cluster().orElseThrow().cluster().getMetadata().setCreationTimestamp("2026-01-01T00:00:00Z");
        objects.backup()
                .setStatus(
                        Serialization.unmarshal("---\nphase: Completed\nstartTime: " + begun, EtcdBackupStatus.class));
        assertThat(new Fate(objects).keeping()).isEqualTo(new Keeping(itsOwn, itsOwn, false, false));
    }

    private static BackupObjects objects(String own, String cluster, boolean held, boolean owned) {
        EtcdBackup backup = Serialization.unmarshal(
                """
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackup
                metadata:
                  name: b
                  finalizers: [%s]
                  ownerReferences: [%s]
                spec:
                  source: {cluster: c}
                  destination: {volume: {claimName: backups}}
                %s
                """.formatted(
                        held ? "etcd.improbable.io/stored-backup" : "",
                        owned ? "{kind: EtcdCluster, name: c, uid: u, apiVersion: etcd.improbable.io/v1alpha1}" : "",
                        own.equals("-") ? "" : "  onDelete: " + own),
                EtcdBackup.class);
        return new BackupObjects(
                backup,
                cluster.equals("gone") ? Optional.empty() : Optional.of(cluster(cluster)),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    private static ClusterObjects cluster(String onDelete) {
        EtcdCluster cluster = Serialization.unmarshal(
                """
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdCluster
                metadata: {name: c, namespace: ns, uid: u}
                spec:
                  replicas: 3
                  version: 3.6.16
                  storage: {volumeClaimTemplate: {}}
                %s
                """.formatted(
                        onDelete.equals("-")
                                ? ""
                                : "  backup: {destination: {volume: {claimName: v}}, onDelete: " + onDelete + "}"),
                EtcdCluster.class);
        return new ClusterObjects(
                cluster, List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(),
                List.of(), Set.of(), Set.of(), Map.of());
    }
}
