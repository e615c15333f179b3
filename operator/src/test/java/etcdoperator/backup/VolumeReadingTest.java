package etcdoperator.backup;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdPeer;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupStatus.BackupPhase;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.manifest.AnyAgents;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.VolumeReading;
import etcdoperator.simulation.kube.WrittenDown;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Backups of clusters of which nobody answers. */
class VolumeReadingTest {
    private static final String STORED = """
            {"state":"Completed","objectURL":"pvc://backups/c.db","path":"c.db","revision":7,"sizeBytes":100,"etcdVersion":"3.6.16"}""";

    private final BackupWorld world = new BackupWorld();
    private SilentCluster cluster;

    @BeforeEach
    void createCluster() throws Exception {
        cluster = SilentCluster.in(world);
        world.has(backup("b"));
    }

    @Test
    void theVolumeIsReadAndTheMemberRunsAgain() throws Exception {
        askInVain();
        settle();
        assertThat(cluster.running()).containsExactly("c-1", "c-2");
        assertThat(agent().getContainers().getFirst().getArgs())
                .contains("--data-dir=/var/lib/etcd/data", "--etcd-version=3.6.16", "--cluster-id=abc")
                .noneMatch(flag -> flag.startsWith("--endpoints"));
        assertThat(agent().getContainers().getFirst().getVolumeMounts()).anySatisfy(mount -> {
            assertThat(mount.getMountPath()).isEqualTo("/var/lib/etcd");
            assertThat(mount.getReadOnly()).isTrue();
        });
        assertThat(agent().getSecurityContext().getRunAsUser()).isEqualTo(1000);
        assertThat(agent().getSecurityContext().getFsGroup()).isEqualTo(1000);
        assertThat(agent().getNodeSelector()).containsEntry("disk", "fast");
        assertThat(world.sentences())
                .contains("No member can be asked; c-0 stands still until its volume is read instead");

        world.podOf("b-read", "Running");
        settle();
        assertThat(world.backup("b").getStatus().phase()).isEqualTo(BackupPhase.RUNNING);
        assertThat(cluster.running()).containsExactly("c-1", "c-2");
        world.jobEnds("b-read", "Complete", STORED);
        settle();

        assertCompleted();
        assertThat(world.sentences())
                .anyMatch(
                        said -> said.endsWith(
                                "it is from the volume of claim c-0, because no member could be asked: writes that had not reached that member's database are not in it"));
    }

    @Test
    void nobodyIsStoppedWhileOneIsWell() throws Exception {
        cluster.answersAgain();
        askInVain();
        settle();
        assertThat(world.backup("b").getStatus().phase()).isEqualTo(BackupPhase.FAILED);
        assertThat(cluster.running()).hasSize(3);
    }

    @Test
    void norWhileTheClusterIsPaused() throws Exception {
        cluster.is(3, "paused: true");
        askInVain();
        settle();
        assertThat(cluster.running()).hasSize(3);
        assertThat(world.told()).contains("ClusterPaused");
        cluster.is(3, "");
        settle();
        assertThat(cluster.running()).hasSize(2);
    }

    @Test
    void aPodOnItsWayOutIsWaitedFor() throws Exception {
        askInVain();
        world.has(new PodBuilder()
                .withNewMetadata()
                .withName("late")
                .withDeletionTimestamp("2026-11-15T10:00:00Z")
                .withLabels(Map.of(Labels.CLUSTER, "c", Labels.PEER, "c-0"))
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .withNewStatus()
                .endStatus()
                .build());
        settle();
        assertThat(world.find(Job.class, "b-read")).isEmpty();
        world.remove(world.find(Pod.class, "late").orElseThrow());
        settle();
        assertThat(world.find(Job.class, "b-read")).isPresent();
    }

    /** Nobody has to be stopped for it, but nobody may start meanwhile either. */
    @Test
    void aClusterThatSleepsIsReadAtOnce() throws Exception {
        cluster.fallsAsleep();
        cluster.turns();
        settle();
        assertThat(world.find(Job.class, "b-backup")).isEmpty();
        assertThat(world.find(Job.class, "b-read")).isPresent();
        world.jobEnds("b-read", "Complete", STORED);
        settle();
        assertThat(world.backup("b").getStatus().phase()).isEqualTo(BackupPhase.COMPLETED);
        assertThat(cluster.running()).isEmpty();
        assertNobodyIsMarked();
    }

    @Test
    void aQuorumThatComesBackIsAsked() throws Exception {
        askInVain();
        run();
        assertThat(marked()).isTrue();
        cluster.answersAgain();
        settle();
        assertThat(cluster.running()).hasSize(3);
        assertNobodyIsMarked();
        assertThat(world.find(Job.class, "b-read")).isEmpty();
        world.jobEnds("b-backup", "Complete", STORED);
        settle();
        assertThat(world.backup("b").getStatus().phase()).isEqualTo(BackupPhase.COMPLETED);
    }

    @Test
    void whatHasBegunIsFinishedAlthoughItComesBack() throws Exception {
        askInVain();
        settle();
        cluster.answersAgain();
        settle();
        assertThat(cluster.running()).containsExactly("c-1", "c-2");
        world.jobEnds("b-read", "Complete", STORED);
        settle();
        assertCompleted();
    }

    @Test
    void aFailureGivesTheMemberBack() throws Exception {
        askInVain();
        settle();
        world.jobEnds("b-read", "Failed", "{\"state\":\"Failed\",\"message\":\"the store is full\"}");
        settle();
        assertThat(world.backup("b").getStatus().phase()).isEqualTo(BackupPhase.FAILED);
        assertThat(world.sentences())
                .contains("No member could be asked, and claim c-0 could not be read: the store is full");
        assertThat(cluster.running()).hasSize(3);
        assertNobodyIsMarked();
    }

    /** The object is gone, and with it all that could take the mark off. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void aBackupThatIsDeletedLeavesNobodyStopped(int passes) throws Exception {
        askInVain();
        for (int i = 0; i < passes; i++) {
            run();
            cluster.turns();
        }
        world.userDeletes(world.backup("b"));
        settle();
        assertThat(cluster.running()).hasSize(3);
    }

    @Test
    void twoDoNotReadAtOnce() throws Exception {
        askInVain();
        settle();
        world.has(backup("other"));
        cluster.turns();
        run("other");
        world.jobIsNotAnswered("other-backup");
        run("other");
        assertThat(world.sentences()).contains("The volume of c-0 is being read by another EtcdBackup");
        world.jobEnds("b-read", "Complete", STORED);
        settle();
        run("other");
        cluster.turns();
        run("other");
        assertThat(world.find(Job.class, "other-read")).isPresent();
        assertThat(cluster.running()).containsExactly("c-1", "c-2");
    }

    /** The operator dies after each of its effects, and another one goes on. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void aDeathAtAnyEffectChangesNothing(int effect) throws Exception {
        world.kube().dieAtWrite(effect, true);
        settle();
        world.jobIsNotAnswered("b-backup");
        settle();
        world.podOf("b-read", "Running");
        settle();
        world.jobEnds("b-read", "Complete", STORED);
        settle();
        assertCompleted();
        assertThat(world.effects().stream().filter("create Job b-read"::equals)).hasSize(1);
    }

    private void assertCompleted() {
        assertThat(world.backup("b").getStatus().phase()).isEqualTo(BackupPhase.COMPLETED);
        assertThat(cluster.running()).containsExactly("c-0", "c-1", "c-2");
        assertNobodyIsMarked();
    }

    private void assertNobodyIsMarked() {
        assertThat(marked()).isFalse();
    }

    private boolean marked() {
        return world.find(EtcdPeer.class, "c-0")
                .orElseThrow()
                .getMetadata()
                .getAnnotations()
                .containsKey(Labels.READ_BY);
    }

    private PodSpec agent() {
        return world.job("b-read").getSpec().getTemplate().getSpec();
    }

    private void askInVain() throws Exception {
        run();
        world.jobIsNotAnswered("b-backup");
    }

    private void settle() throws Exception {
        for (int i = 0; i < 6; i++) {
            try {
                run();
                cluster.turns();
            } catch (WrittenDown.Death e) {
                // Another operator starts with nothing but what is stored.
                i = 0;
            }
        }
    }

    /** An injected sidecar may put its volumes in front of ours. */
    @Test
    void theClaimIsFoundBesideOtherVolumes() {
        Job job = new JobBuilder()
                .withNewSpec()
                .withNewTemplate()
                .withNewSpec()
                .addNewVolume()
                .withName("sidecar")
                .withNewPersistentVolumeClaim("sidecar", false)
                .endVolume()
                .addNewVolume()
                .withName("data")
                .withNewPersistentVolumeClaim("c-0", true)
                .endVolume()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();

        assertThat(VolumeReading.claimOf(job)).contains("c-0");
    }

    private void run() throws StaleViewException {
        run("b");
    }

    private void run(String backup) throws StaleViewException {
        new BackupPass(world, world.kube(), world, AnyAgents.of("operator:1"), world.clock())
                .run(new ObjectKey(BackupWorld.NAMESPACE, backup));
    }

    private static EtcdBackup backup(String name) {
        return Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackup
                metadata: {name: %s}
                spec:
                  source: {cluster: c}
                  destination: {volume: {claimName: backups}}
                """.formatted(name), EtcdBackup.class);
    }
}
