package io.improbable.etcd.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatusBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.improbable.etcd.api.EtcdBackup;
import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.api.EtcdClusterStatus;
import io.improbable.etcd.api.EtcdPeer;
import io.improbable.etcd.api.EtcdRestore;
import io.improbable.etcd.api.EtcdRestoreStatus;
import io.improbable.etcd.api.EtcdRestoreStatus.RestorePhase;
import io.improbable.etcd.api.OperationStatus;
import io.improbable.etcd.api.OperationType;
import io.improbable.etcd.domain.ObjectKey;
import io.improbable.etcd.domain.RestoredIds;
import io.improbable.etcd.kube.Kube.StaleViewException;
import io.improbable.etcd.manifest.Labels;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
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
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-01T12:00:00Z"), ZoneOffset.UTC);
    private static final String OLD_ID = "c1";
    private static final int MORE_THAN_ENOUGH = 60;

    private final World world = new World();

    static Stream<Arguments> everyWrite() {
        return IntStream.rangeClosed(1, 40)
                .boxed()
                .flatMap(write -> Stream.of(Arguments.of(write, false), Arguments.of(write, true)));
    }

    @Test
    void aNewClusterComesUpOnWhatWasRestored() throws StaleViewException {
        givenRestore(false);
        runToTheEnd();
        assertThat(status().phase()).isEqualTo(RestorePhase.COMPLETED);
        assertThat(status().revision()).isEqualTo(42);
        assertNewCluster();
    }

    @ParameterizedTest
    @MethodSource("everyWrite")
    void aNewClusterComesUpAfterACrash(int write, boolean after) throws StaleViewException {
        givenRestore(false);
        world.crashAt(write, after);
        runToTheEnd();
        assertThat(status().phase()).isEqualTo(RestorePhase.COMPLETED);
        assertNewCluster();
        assertThat(world.writes().stream().filter(done -> done.startsWith("create")))
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("everyWrite")
    void inPlaceAfterACrash(int write, boolean after) throws StaleViewException {
        givenRestore(true);
        givenCluster();
        world.crashAt(write, after);
        runToTheEnd();
        assertThat(status().phase()).isEqualTo(RestorePhase.COMPLETED);
        assertExchanged();
    }

    /** The claims of before are all there at every moment, and named before they are touched. */
    @ParameterizedTest
    @MethodSource("everyWrite")
    void deletedAtAnyMomentTheClusterHasTheOneDataOrTheOther(int write, boolean after) throws StaleViewException {
        givenRestore(true);
        givenCluster();
        world.crashAt(write, after);
        runUntilTheCrash();
        delete();
        runToTheEnd();
        EtcdCluster cluster = world.get(EtcdCluster.class, "c").orElseThrow();
        assertThat(cluster.getMetadata().getAnnotations().getOrDefault(Labels.RESTORING, ""))
                .isEmpty();
        List<String> used = claimsOf("c");
        assertThat(world.all(PersistentVolumeClaim.class).stream()
                        .map(claim -> claim.getMetadata().getName()))
                .contains("c-0", "c-1");
        if (used.contains("c-0")) {
            assertThat(used).containsExactly("c-0", "c-1");
            assertThat(cluster.getStatus().clusterId()).isEqualTo(OLD_ID);
        } else {
            assertExchanged();
        }
    }

    @Test
    void aFailedOneLeavesTheClusterAndNoClaim() throws StaleViewException {
        givenRestore(true);
        givenCluster();
        for (int pass = 0; pass < MORE_THAN_ENOUGH; pass++) {
            pass();
            world.all(Job.class).stream()
                    .filter(job -> job.getStatus() == null)
                    .forEach(job -> finish(job, job.getMetadata().getName().endsWith("-inspect")));
        }
        assertThat(status().phase()).isEqualTo(RestorePhase.FAILED);
        assertThat(status().conditions().getFirst().getMessage()).isEqualTo("The object is corrupt");
        assertThat(world.all(PersistentVolumeClaim.class))
                .extracting(claim -> claim.getMetadata().getName())
                .containsExactly("c-0", "c-1");
        assertThat(world.all(EtcdPeer.class)).hasSize(2);
    }

    @Test
    void aFinishedOneIsNotDoneAgain() throws StaleViewException {
        givenRestore(false);
        runToTheEnd();
        world.remove(world.get(EtcdCluster.class, "c").orElseThrow());
        int before = world.writes().size();
        assertThat(pass()).isFalse();
        assertThat(world.writes()).hasSize(before);
    }

    /** A claim that a later restore has set aside holds what its cluster wrote, and not what is in the backup. */
    @Test
    void whatAClusterHasRunOnIsNeverRemoved() throws StaleViewException {
        givenRestore(true);
        givenCluster();
        while (claimsOf("c").contains("c-0") || claimsOf("c").isEmpty()) {
            pass();
            everybodyElseActs();
        }
        world.remove(world.get(EtcdCluster.class, "c").orElseThrow());
        pass();
        assertThat(status().phase()).isEqualTo(RestorePhase.FAILED);
        PersistentVolumeClaim used =
                world.get(PersistentVolumeClaim.class, claimsOf("c").getFirst()).orElseThrow();
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
        givenRestore(false);
        world.refuseDeleting();
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
                metadata: {name: back, uid: r1}
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
        givenRestore(false);
        for (int pass = 0; pass < MORE_THAN_ENOUGH; pass++) {
            new RestorePass(world, world, "agent:1", true, CLOCK).run(KEY);
            everybodyElseActs();
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
        String claim = claimsOf("c").getFirst();
        assertThat(claimsOf("c")).containsExactly(claim);
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
                    .containsEntry(Labels.CLUSTER_ID, OLD_ID);
        }
        world.get(EtcdRestore.class, "back").ifPresent(restore -> {
            assertThat(restore.getMetadata().getFinalizers()).isEmpty();
            assertThat(restore.getStatus().setAsideClaims()).containsExactly("c-0", "c-1");
        });
    }

    private static RestoredIds ids(String scheme, String claim) {
        return RestoredIds.of("%s://%s.c.ns.svc:2380".formatted(scheme, claim), "r1");
    }

    private List<String> claimsOf(String cluster) {
        return world.all(PersistentVolumeClaim.class).stream()
                .filter(claim -> cluster.equals(claim.getMetadata().getLabels().get(Labels.CLUSTER)))
                .map(claim -> claim.getMetadata().getName())
                .toList();
    }

    private EtcdRestoreStatus status() {
        return world.get(EtcdRestore.class, "back").orElseThrow().getStatus();
    }

    private void runToTheEnd() throws StaleViewException {
        for (int pass = 0; pass < MORE_THAN_ENOUGH; pass++) {
            pass();
            everybodyElseActs();
        }
    }

    private void runUntilTheCrash() throws StaleViewException {
        for (int pass = 0; pass < MORE_THAN_ENOUGH && !pass(); pass++) {
            everybodyElseActs();
        }
    }

    /** @return whether the operator crashed in it */
    private boolean pass() throws StaleViewException {
        try {
            new RestorePass(world, world, "agent:1", false, CLOCK).run(KEY);
            return false;
        } catch (World.CrashException e) {
            return true;
        }
    }

    private void everybodyElseActs() {
        world.all(Job.class).stream().filter(job -> job.getStatus() == null).forEach(job -> finish(job, true));
        world.get(EtcdCluster.class, "c").ifPresent(this::clusterActs);
    }

    private void finish(Job job, boolean well) {
        job.setStatus(new JobStatusBuilder()
                .addNewCondition()
                .withType(well ? "Complete" : "Failed")
                .withStatus("True")
                .endCondition()
                .build());
        world.put(job);
        world.put(new PodBuilder()
                .withNewMetadata()
                .withName(job.getMetadata().getName() + "-x")
                .withCreationTimestamp("2026-01-01T12:00:00Z")
                .withLabels(job.getMetadata().getLabels())
                .addNewOwnerReference()
                .withUid(job.getMetadata().getUid())
                .endOwnerReference()
                .endMetadata()
                .withNewStatus()
                .addNewContainerStatus()
                .withName("agent")
                .withNewState()
                .withNewTerminated()
                .withExitCode(well ? 0 : 2)
                .withMessage(
                        well
                                ? "{\"state\": \"Completed\", \"etcdVersion\": \"3.6.16\", \"revision\": 42}"
                                : "{\"state\": \"Failed\", \"message\": \"The object is corrupt\"}")
                .endTerminated()
                .endState()
                .endContainerStatus()
                .endStatus()
                .build());
    }

    /** As far as a restore sees it: it takes the lock and its peers go, or it comes up on the claims it has. */
    private void clusterActs(EtcdCluster cluster) {
        boolean lies = !cluster.getMetadata()
                .getAnnotations()
                .getOrDefault(Labels.RESTORING, "")
                .isEmpty();
        EtcdClusterStatus before = cluster.getStatus() == null ? EtcdClusterStatus.EMPTY : cluster.getStatus();
        if (lies) {
            world.all(EtcdPeer.class).forEach(world::remove);
            cluster.setStatus(
                    before.withOperation(new OperationStatus(OperationType.RESTORE, "back", CLOCK.instant(), "")));
            world.put(cluster);
        } else if (world.all(EtcdPeer.class).isEmpty()) {
            String id = claimsOf("c").stream()
                    .flatMap(name -> world.get(PersistentVolumeClaim.class, name).stream())
                    .map(claim -> claim.getMetadata().getAnnotations().get(Labels.CLUSTER_ID))
                    .distinct()
                    .reduce((one, other) -> {
                        throw new AssertionError("data of two clusters: " + one + " and " + other);
                    })
                    .orElseThrow();
            assertThat(before.clusterId()).isIn(null, id);
            cluster.setStatus(running(id));
            world.put(cluster);
            claimsOf("c").forEach(this::givenPeer);
        }
    }

    private static EtcdClusterStatus running(String clusterId) {
        return Serialization.unmarshal("""
                clusterId: "%s"
                conditions: [{type: Available, status: "True", reason: Healthy, message: All is well}]
                """.formatted(clusterId), EtcdClusterStatus.class);
    }

    private void givenPeer(String claim) {
        var peer = new EtcdPeer();
        peer.setMetadata(new ObjectMetaBuilder()
                .withName(claim)
                .addToLabels(Labels.CLUSTER, "c")
                .build());
        world.put(peer);
    }

    private void delete() {
        world.get(EtcdRestore.class, "back").ifPresent(restore -> {
            restore.getMetadata().setDeletionTimestamp("2026-01-01T12:00:00Z");
            world.put(restore);
            if (restore.getMetadata().getFinalizers().isEmpty()) {
                world.remove(restore);
                // As the garbage collector does.
                world.all(PersistentVolumeClaim.class).stream()
                        .filter(claim ->
                                !claim.getMetadata().getOwnerReferences().isEmpty())
                        .forEach(world::remove);
            }
        });
    }

    private void givenRestore(boolean inPlace) {
        world.put(Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdRestore
                metadata: {name: back, uid: r1}
                spec:
                  source: {bucket: {bucketURL: "s3://b", objectPath: one.db}}
                  inPlace: %s
                  clusterTemplate:
                    clusterName: c
                """.formatted(inPlace) + (inPlace ? "" : """
                    spec: {replicas: 3, storage: {volumeClaimTemplate: {resources: {requests: {storage: 1Gi}}}}}
                """), EtcdRestore.class));
    }

    private void givenCluster() {
        EtcdCluster cluster = Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdCluster
                metadata: {name: c, uid: u1, annotations: {}}
                spec:
                  replicas: 2
                  version: 3.6.16
                  storage: {volumeClaimTemplate: {resources: {requests: {storage: 1Gi}}}}
                """, EtcdCluster.class);
        cluster.setStatus(running(OLD_ID));
        world.put(cluster);
        for (String name : List.of("c-0", "c-1")) {
            world.put(new PersistentVolumeClaimBuilder()
                    .withNewMetadata()
                    .withName(name)
                    .withLabels(Map.of(Labels.CLUSTER, "c", Labels.PEER, name))
                    .withAnnotations(Map.of(Labels.CLUSTER_ID, OLD_ID, Labels.MEMBER_ID, "a0"))
                    .endMetadata()
                    .build());
            givenPeer(name);
        }
    }
}
