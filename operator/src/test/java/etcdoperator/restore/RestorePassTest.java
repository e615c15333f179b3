package etcdoperator.restore;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreStatus;
import etcdoperator.api.EtcdRestoreStatus.RestorePhase;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.domain.ObjectKey;
import etcdoperator.domain.RestoredIds;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.kube.WrittenDown;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Restores from their first pass to the last, broken off before and after each of their writes. */
class RestorePassTest {
    private static final ObjectKey KEY = new ObjectKey(World.NAMESPACE, "back");
    private static final int MORE_THAN_ENOUGH = 60;

    private final World world = new World();
    private final Others others = new Others(world);

    static Stream<Arguments> everyWrite() {
        return IntStream.rangeClosed(1, 40)
                .boxed()
                .flatMap(write -> Stream.of(Arguments.of(write, false), Arguments.of(write, true)));
    }

    @Test
    void aNewClusterComesUpOnWhatWasRestored() throws StaleViewException {
        others.wantRestore(false);
        runToTheEnd();
        assertThat(status().phase()).isEqualTo(RestorePhase.COMPLETED);
        assertThat(status().revision()).isEqualTo(42);
        assertNewCluster();
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
        runToTheEnd();
        assertThat(world.get(PersistentVolumeClaim.class, "c-1").orElseThrow().getMetadata())
                .satisfies(claim -> assertThat(claim.getLabels()).doesNotContainKey("app.kubernetes.io/instance"))
                .satisfies(claim -> assertThat(claim.getAnnotations()).containsKey("argocd.argoproj.io/sync-options"));
        world.remove(world.get(PersistentVolumeClaim.class, "c-1").orElseThrow());
        world.remove(world.get(EtcdRestore.class, "back").orElseThrow());
        world.put(aside);
        pass();
        assertThat(world.get(PersistentVolumeClaim.class, "c-1")
                        .orElseThrow()
                        .getMetadata()
                        .getLabels())
                .as("also when the EtcdRestore is gone")
                .doesNotContainKey("app.kubernetes.io/instance");
    }

    @ParameterizedTest
    @MethodSource("everyWrite")
    void aNewClusterComesUpAfterACrash(int write, boolean after) throws StaleViewException {
        others.wantRestore(false);
        world.kube().dieAtWrite(write, after);
        runToTheEnd();
        assertThat(status().phase()).isEqualTo(RestorePhase.COMPLETED);
        assertNewCluster();
        assertThat(world.writes().stream().filter(done -> done.startsWith("create")))
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("everyWrite")
    void inPlaceAfterACrash(int write, boolean after) throws StaleViewException {
        others.wantRestore(true);
        others.haveCluster();
        world.kube().dieAtWrite(write, after);
        runToTheEnd();
        assertThat(status().phase()).isEqualTo(RestorePhase.COMPLETED);
        assertExchanged();
    }

    /** The claims of before are all there at every moment, and named before they are touched. */
    @ParameterizedTest
    @MethodSource("everyWrite")
    void deletedAtAnyMomentTheClusterHasTheOneDataOrTheOther(int write, boolean after) throws StaleViewException {
        others.wantRestore(true);
        others.haveCluster();
        world.kube().dieAtWrite(write, after);
        runUntilTheCrash();
        others.delete();
        runToTheEnd();
        EtcdCluster cluster = world.get(EtcdCluster.class, "c").orElseThrow();
        assertThat(cluster.getMetadata().getAnnotations().getOrDefault(Labels.RESTORING, ""))
                .isEmpty();
        List<String> used = others.claimsOf("c");
        assertThat(world.all(PersistentVolumeClaim.class).stream()
                        .map(claim -> claim.getMetadata().getName()))
                .contains("c-0", "c-1");
        if (used.contains("c-0")) {
            assertThat(used).containsExactly("c-0", "c-1");
            assertThat(cluster.getStatus().clusterId()).isEqualTo(Others.OLD_ID);
        } else {
            assertExchanged();
        }
    }

    @Test
    void aFailedOneLeavesTheClusterAndNoClaim() throws StaleViewException {
        others.wantRestore(true);
        others.haveCluster();
        for (int pass = 0; pass < MORE_THAN_ENOUGH; pass++) {
            pass();
            world.all(Job.class).stream()
                    .filter(job -> job.getStatus() == null)
                    .forEach(job ->
                            others.finish(job, job.getMetadata().getName().endsWith("-inspect")));
        }
        assertThat(status().phase()).isEqualTo(RestorePhase.FAILED);
        assertThat(status().conditions().getFirst().getMessage()).isEqualTo("The object is corrupt");
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
        runToTheEnd();
        assertThat(status().conditions().getFirst().getMessage()).contains("Waiting for EtcdRestore first");
        assertThat(others.claimsOf("c")).containsExactly("c-0", "c-1");
        first.setStatus(Serialization.unmarshal("---\n{phase: Completed, stage: Starting}", EtcdRestoreStatus.class));
        world.put(first);
        runToTheEnd();
        assertExchanged();
    }

    @Test
    void aFinishedOneIsNotDoneAgain() throws StaleViewException {
        others.wantRestore(false);
        runToTheEnd();
        world.remove(world.get(EtcdCluster.class, "c").orElseThrow());
        int before = world.writes().size();
        assertThat(pass()).isFalse();
        assertThat(world.writes()).hasSize(before);
    }

    /** A claim that a later restore has set aside holds what its cluster wrote, and not what is in the backup. */
    @Test
    void whatAClusterHasRunOnIsNeverRemoved() throws StaleViewException {
        others.wantRestore(true);
        others.haveCluster();
        while (others.claimsOf("c").contains("c-0") || others.claimsOf("c").isEmpty()) {
            pass();
            others.act();
        }
        world.remove(world.get(EtcdCluster.class, "c").orElseThrow());
        pass();
        assertThat(status().phase()).isEqualTo(RestorePhase.FAILED);
        PersistentVolumeClaim used = world.get(
                        PersistentVolumeClaim.class, others.claimsOf("c").getFirst())
                .orElseThrow();
        used.getMetadata().getLabels().remove(Labels.CLUSTER);
        used.getMetadata().getAnnotations().put(Labels.SET_ASIDE_BY, "a-later-one");
        world.put(used);
        runToTheEnd();
        assertThat(world.all(PersistentVolumeClaim.class))
                .extracting(claim -> claim.getMetadata().getName())
                .contains(used.getMetadata().getName());
    }

    @Test
    void aFinishedOneThatCannotBeTidiedStaysFinished() throws StaleViewException {
        others.wantRestore(false);
        world.kube().refuse("delete", "deleting is forbidden");
        runToTheEnd();
        EtcdRestoreStatus ended = status();
        assertThat(ended.phase()).isEqualTo(RestorePhase.COMPLETED);
        int before = world.writes().size();
        runToTheEnd();
        assertThat(status()).isEqualTo(ended);
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
        pass();
        assertThat(status().phase()).isEqualTo(RestorePhase.FAILED);
    }

    @Test
    void tlsByDefaultIsWrittenIntoClaimAndCluster() throws StaleViewException {
        others.wantRestore(false);
        for (int pass = 0; pass < MORE_THAN_ENOUGH; pass++) {
            new RestorePass(world, world.kube(), "agent:1", true, Others.CLOCK).run(KEY);
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
                        Labels.CLUSTER_ID, ids("https", "c-0").clusterId().toString());
    }

    private void assertNewCluster() {
        PersistentVolumeClaim claim =
                world.get(PersistentVolumeClaim.class, "c-0").orElseThrow();
        RestoredIds ids = ids("http", "c-0");
        assertThat(claim.getMetadata().getAnnotations())
                .containsEntry(Labels.CLUSTER_ID, ids.clusterId().toString())
                .containsEntry(Labels.MEMBER_ID, ids.memberId().toString())
                .containsEntry(Labels.VERSION, "3.6.16");
        assertThat(claim.getMetadata().getOwnerReferences()).isEmpty();
        assertThat(world.get(EtcdCluster.class, "c").orElseThrow().getSpec().version())
                .isEqualTo("3.6.16");
    }

    private void assertExchanged() {
        String claim = others.claimsOf("c").getFirst();
        assertThat(others.claimsOf("c")).containsExactly(claim);
        assertThat(claim).matches("c-0-[0-9a-f]{8}");
        EtcdCluster cluster = world.get(EtcdCluster.class, "c").orElseThrow();
        assertThat(cluster.getStatus().clusterId())
                .isEqualTo(ids("http", claim).clusterId().toString());
        assertThat(cluster.getMetadata().getAnnotations()).containsEntry(Labels.CLAIM_SEED, "r1");
        for (String old : List.of("c-0", "c-1")) {
            PersistentVolumeClaim aside =
                    world.get(PersistentVolumeClaim.class, old).orElseThrow();
            assertThat(aside.getMetadata().getLabels()).doesNotContainKey(Labels.CLUSTER);
            assertThat(aside.getMetadata().getAnnotations())
                    .containsEntry(Labels.SET_ASIDE_BY, "back")
                    .containsEntry(Labels.CLUSTER_ID, Others.OLD_ID);
        }
        world.get(EtcdRestore.class, "back").ifPresent(restore -> {
            assertThat(restore.getMetadata().getFinalizers()).isEmpty();
            assertThat(restore.getStatus().setAsideClaims()).containsExactly("c-0", "c-1");
        });
    }

    private static RestoredIds ids(String scheme, String claim) {
        return RestoredIds.of("%s://%s.c.ns.svc:2380".formatted(scheme, claim), "r1");
    }

    private EtcdRestoreStatus status() {
        return world.get(EtcdRestore.class, "back").orElseThrow().getStatus();
    }

    private void runToTheEnd() throws StaleViewException {
        for (int pass = 0; pass < MORE_THAN_ENOUGH; pass++) {
            pass();
            others.act();
        }
    }

    private void runUntilTheCrash() throws StaleViewException {
        for (int pass = 0; pass < MORE_THAN_ENOUGH && !pass(); pass++) {
            others.act();
        }
    }

    /** @return whether the operator crashed in it */
    private boolean pass() throws StaleViewException {
        try {
            new RestorePass(world, world.kube(), "agent:1", false, Others.CLOCK).run(KEY);
            return false;
        } catch (WrittenDown.Death e) {
            return true;
        }
    }
}
