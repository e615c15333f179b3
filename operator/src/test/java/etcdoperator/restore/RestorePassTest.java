package etcdoperator.restore;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreStatus;
import etcdoperator.api.EtcdRestoreStatus.RestorePhase;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.manifest.AnyAgents;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Restores from their first pass to the last. */
class RestorePassTest {
    private final RestoreRun run = new RestoreRun();
    private final World world = run.world();
    private final Others others = run.others();

    @Test
    void aNewClusterComesUpOnWhatWasRestored() throws StaleViewException {
        others.wantRestore(false);
        run.toTheEnd();
        assertThat(run.status().phase()).isEqualTo(RestorePhase.COMPLETED);
        assertThat(run.status().revision()).isEqualTo(42);
        run.isNewCluster();
    }

    /** As earlier operators made and set them aside: the data of before the restore. */
    @Test
    void argoCdMayNotPruneWhatWasSetAside() throws StaleViewException {
        others.wantRestore(false);
        var aside = new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withNamespace(World.NAMESPACE)
                .withName("c-1")
                .withLabels(Map.of(
                        Labels.RESTORE,
                        "back",
                        "app.kubernetes.io/instance",
                        "c",
                        "app.kubernetes.io/managed-by",
                        "etcd-operator"))
                .withAnnotations(Map.of(Labels.SET_ASIDE_BY, "back"))
                .endMetadata()
                .build();
        world.put(aside);
        run.toTheEnd();
        assertThat(world.get(PersistentVolumeClaim.class, "c-1").orElseThrow().getMetadata())
                .satisfies(claim -> assertThat(claim.getLabels()).doesNotContainKey("app.kubernetes.io/instance"))
                .satisfies(claim -> assertThat(claim.getAnnotations()).containsKey("argocd.argoproj.io/sync-options"));
        world.remove(world.get(PersistentVolumeClaim.class, "c-1").orElseThrow());
        world.remove(world.get(EtcdRestore.class, "back").orElseThrow());
        world.put(aside);
        run.pass();
        assertThat(world.get(PersistentVolumeClaim.class, "c-1")
                        .orElseThrow()
                        .getMetadata()
                        .getLabels())
                .as("also when the EtcdRestore is gone")
                .doesNotContainKey("app.kubernetes.io/instance");
    }

    @Test
    void aFailedOneLeavesTheClusterAndNoClaim() throws StaleViewException {
        others.wantRestore(true);
        others.haveCluster();
        for (int pass = 0; pass < RestoreRun.MORE_THAN_ENOUGH; pass++) {
            run.pass();
            world.all(Job.class).stream()
                    .filter(job -> job.getStatus() == null)
                    .forEach(job ->
                            others.finish(job, job.getMetadata().getName().endsWith("-inspect")));
        }
        assertThat(run.status().phase()).isEqualTo(RestorePhase.FAILED);
        assertThat(run.status().conditions().getFirst().getMessage()).isEqualTo("The object is corrupt");
        assertThat(world.all(PersistentVolumeClaim.class))
                .extracting(claim -> claim.getMetadata().getName())
                .containsExactly("c-0", "c-1");
        assertThat(world.all(EtcdPeer.class)).hasSize(2);
    }

    /** Also once the first one's cluster may start: it must come up before its data is set aside again. */
    @Test
    void theSecondOfTwoWaitsUntilTheFirstIsOver() throws StaleViewException {
        others.wantRestore(true);
        others.haveCluster();
        EtcdRestore first = world.get(EtcdRestore.class, "back").orElseThrow();
        first.getMetadata().setName("first");
        first.getMetadata().setUid("r0");
        first.setStatus(Serialization.unmarshal("---\n{phase: Restoring, stage: Starting}", EtcdRestoreStatus.class));
        world.put(first);
        run.toTheEnd();
        assertThat(run.status().conditions().getFirst().getMessage()).contains("Waiting for EtcdRestore first");
        assertThat(others.claimsOf("c")).containsExactly("c-0", "c-1");
        first.setStatus(Serialization.unmarshal("---\n{phase: Completed, stage: Starting}", EtcdRestoreStatus.class));
        world.put(first);
        run.toTheEnd();
        run.isExchanged();
    }

    @Test
    void aFinishedOneIsNotDoneAgain() throws StaleViewException {
        others.wantRestore(false);
        run.toTheEnd();
        world.remove(world.get(EtcdCluster.class, "c").orElseThrow());
        int before = world.writes().size();
        assertThat(run.pass()).isFalse();
        assertThat(world.writes()).hasSize(before);
    }

    /** A claim that a later restore has set aside holds what its cluster wrote, and not what is in the backup. */
    @Test
    void whatAClusterHasRunOnIsNeverRemoved() throws StaleViewException {
        others.wantRestore(true);
        others.haveCluster();
        while (others.claimsOf("c").contains("c-0") || others.claimsOf("c").isEmpty()) {
            run.pass();
            others.act();
        }
        world.remove(world.get(EtcdCluster.class, "c").orElseThrow());
        run.pass();
        assertThat(run.status().phase()).isEqualTo(RestorePhase.FAILED);
        PersistentVolumeClaim used = world.get(
                        PersistentVolumeClaim.class, others.claimsOf("c").getFirst())
                .orElseThrow();
        used.getMetadata().getLabels().remove(Labels.CLUSTER);
        used.getMetadata().getAnnotations().put(Labels.SET_ASIDE_BY, "a-later-one");
        world.put(used);
        run.toTheEnd();
        assertThat(world.all(PersistentVolumeClaim.class))
                .extracting(claim -> claim.getMetadata().getName())
                .contains(used.getMetadata().getName());
    }

    @Test
    void aFinishedOneThatCannotBeTidiedStaysFinished() throws StaleViewException {
        others.wantRestore(false);
        world.kube().refuse("delete", "deleting is forbidden");
        run.toTheEnd();
        EtcdRestoreStatus ended = run.status();
        assertThat(ended.phase()).isEqualTo(RestorePhase.COMPLETED);
        int before = world.writes().size();
        run.toTheEnd();
        assertThat(run.status()).isEqualTo(ended);
        assertThat(world.writes()).hasSize(before);
    }

    @Test
    void aBackupThatIsBeingDeletedIsNotChosen() throws StaleViewException {
        world.put(Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdRestore
                metadata: {name: back, uid: r1, creationTimestamp: "2026-01-01T12:00:00Z"}
                spec:
                  source: {backup: going}
                  clusterTemplate: {clusterName: c, spec: {replicas: 3, storage: {volumeClaimTemplate: {}}}}
                """, EtcdRestore.class));
        world.put(Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackup
                metadata: {name: going, deletionTimestamp: "2026-01-01T12:00:00Z"}
                spec: {source: {cluster: c}, destination: {volume: {claimName: v}}}
                status: {phase: Completed, path: a/x}
                """, EtcdBackup.class));
        run.pass();
        assertThat(run.status().phase()).isEqualTo(RestorePhase.FAILED);
    }

    @Test
    void tlsByDefaultIsWrittenIntoClaimAndCluster() throws StaleViewException {
        others.wantRestore(false);
        for (int pass = 0; pass < RestoreRun.MORE_THAN_ENOUGH; pass++) {
            new RestorePass(world, world.kube(), AnyAgents.of("agent:1"), true, Others.CLOCK).run(RestoreRun.KEY);
            others.act();
        }
        PersistentVolumeClaim claim =
                world.get(PersistentVolumeClaim.class, "c-0").orElseThrow();
        assertThat(claim.getMetadata().getAnnotations()).containsEntry(Labels.PEER_SCHEME, "https");
        assertThat(world.get(EtcdCluster.class, "c")
                        .orElseThrow()
                        .getSpec()
                        .tls()
                        .peer())
                .isNotNull();
        assertThat(claim.getMetadata().getAnnotations())
                .containsEntry(
                        Labels.CLUSTER_ID,
                        RestoreRun.ids("https", "c-0").clusterId().toString());
    }
}
