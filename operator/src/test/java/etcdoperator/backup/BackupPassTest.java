package etcdoperator.backup;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.agentreport.ReportText;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupStatus.BackupPhase;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackupPassTest {
    private final BackupStage stage = new BackupStage();
    private final BackupWorld world = stage.world;

    @Test
    void aBackupIsTakenOnceAndNeverAgain() throws Exception {
        world.has(BackupStage.backup(""));
        world.has(BackupStage.secret("cos-credentials"));
        stage.run();
        assertThat(world.effects()).containsExactly("create Job b-backup", "status EtcdBackup b");
        assertThat(stage.phase()).isEqualTo(BackupPhase.PENDING);

        world.podOf("b-backup", "Running");
        stage.run();
        assertThat(stage.phase()).isEqualTo(BackupPhase.RUNNING);

        world.jobEnds("b-backup", "Complete", BackupStage.STORED);
        stage.run();
        var status = world.backup("b").getStatus();
        assertThat(status.phase()).isEqualTo(BackupPhase.COMPLETED);
        assertThat(status.objectURL()).isEqualTo("s3://etcd-backups/ns/c/1.db");
        assertThat(status.revision()).isEqualTo(7L);
        assertThat(status.hashKV()).isEqualTo(4294967295L);
        assertThat(status.keys()).isEqualTo(5L);
        assertThat(status.compactRevision()).isEqualTo(2L);
        assertThat(status.conditions()).singleElement().satisfies(condition -> {
            assertThat(condition.getType()).isEqualTo("Complete");
            assertThat(condition.getStatus()).isEqualTo("True");
        });
        assertThat(world.told()).containsExactly("BackupStarted", "BackupCompleted");

        stage.run();
        assertThat(world.effects()).last().isEqualTo("delete Job b-backup");
        int effects = world.effects().size();
        stage.run();
        assertThat(world.effects()).hasSize(effects);
    }

    @Test
    void progressIsShown() throws Exception {
        world.has(BackupStage.backup(""));
        world.has(BackupStage.secret("cos-credentials"));
        stage.run();
        world.podOf("b-backup", "Running");
        world.says(ReportText.read("{\"state\":\"Running\",\"transferredBytes\":42}")
                .orElseThrow());
        stage.run();
        assertThat(world.backup("b").getStatus().transferredBytes()).isEqualTo(42);
    }

    @Test
    void theAgentIsToldAllAndNoSecret() throws Exception {
        world.has(BackupStage.backup(""));
        world.has(BackupStage.secret("cos-credentials"));
        stage.run();
        Container agent = world.job("b-backup")
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst();
        assertThat(agent.getImage()).isEqualTo("operator:1");
        assertThat(agent.getArgs())
                .containsExactly(
                        "backup",
                        "--endpoints=https://etcd.example.com:2379",
                        "--bucket-url=s3://etcd-backups",
                        "--credentials=aws",
                        "--credentials-dir=/etc/etcd-agent/aws",
                        "--path={namespace}/{cluster}/{time}-{uid}.db",
                        "--namespace=ns",
                        "--cluster=b",
                        "--uid=" + world.backup("b").getMetadata().getUid(),
                        "--time=2026-11-15T10:00:30Z",
                        "--compression=none");
        assertThat(world.job("b-backup").getSpec().getTemplate().getSpec().getVolumes())
                .extracting(volume -> volume.getSecret().getSecretName())
                .containsExactly("cos-credentials");
    }

    @Test
    void aSecretThatIsNotThereIsWaitedForAndToldOnce() throws Exception {
        world.has(BackupStage.backup(""));
        stage.run();
        stage.run();
        assertThat(stage.phase()).isEqualTo(BackupPhase.PENDING);
        assertThat(world.told()).containsExactly("SecretMissing");
        assertThat(world.sentences())
                .containsExactly("Secret cos-credentials, which spec names, is not there; create it");
        world.has(BackupStage.secret("cos-credentials"));
        stage.run();
        assertThat(world.effects()).contains("create Job b-backup");
    }

    @Test
    void aClusterThatIsNotThereIsWaitedFor() throws Exception {
        world.has(Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackup
                metadata: {name: b}
                spec: {source: {cluster: c}, destination: {volume: {claimName: backups}}}
                """, EtcdBackup.class));
        stage.run();
        assertThat(world.sentences()).containsExactly("EtcdCluster c is not there; create it, or delete this backup");
    }

    @Test
    void theAgentsSentenceIsTheUsers() throws Exception {
        world.has(BackupStage.backup(""));
        world.has(BackupStage.secret("cos-credentials"));
        stage.run();
        world.jobEnds(
                "b-backup", "Failed", "{\"state\":\"Failed\",\"message\":\"The bucket is not there; create it\"}");
        stage.run();
        assertThat(stage.phase()).isEqualTo(BackupPhase.FAILED);
        assertThat(world.sentences()).contains("The bucket is not there; create it");
    }

    @Test
    void anAgentThatWasKilledIsExplained() throws Exception {
        world.has(BackupStage.backup(""));
        world.has(BackupStage.secret("cos-credentials"));
        stage.run();
        world.jobEnds("b-backup", "Failed", "");
        stage.run();
        assertThat(world.sentences().getLast())
                .isEqualTo(
                        "The agent's pods ended without a word (Error, exit code 65); see kubectl logs job/b-backup");
    }

    /** The operator dies after each of its effects, and another one goes on. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void aDeathAtAnyEffectChangesNothing(int effect) throws Exception {
        world.kube().dieAtWrite(effect, true);
        world.has(BackupStage.backup("onDelete: Delete"));
        world.has(BackupStage.secret("cos-credentials"));
        stage.runUntilQuiet();
        world.podOf("b-backup", "Running");
        stage.runUntilQuiet();
        world.jobEnds("b-backup", "Complete", BackupStage.STORED);
        stage.runUntilQuiet();
        assertThat(stage.phase()).isEqualTo(BackupPhase.COMPLETED);
        world.userDeletes(world.backup("b"));
        stage.runUntilQuiet();
        world.jobEnds("b-delete", "Complete", "{\"state\":\"Completed\"}");
        stage.runUntilQuiet();

        assertThat(world.find(EtcdBackup.class, "b")).isEmpty();
        assertThat(world.effects().stream().filter("create Job b-backup"::equals))
                .hasSize(1);
        assertThat(world.effects().stream().filter("create Job b-delete"::equals))
                .hasSize(1);
    }
}
