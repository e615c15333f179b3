package io.improbable.etcd.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.improbable.etcd.agent.ReportText;
import io.improbable.etcd.api.EtcdBackup;
import io.improbable.etcd.api.EtcdBackupStatus.BackupPhase;
import io.improbable.etcd.domain.ObjectKey;
import io.improbable.etcd.kube.Kube.StaleViewException;
import io.improbable.etcd.manifest.Labels;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackupPassTest {
    private static final ObjectKey KEY = new ObjectKey(BackupWorld.NAMESPACE, "b");
    private static final String STORED = """
            {"state":"Completed","message":"stored","objectURL":"s3://etcd-backups/ns/c/1.db","path":"ns/c/1.db",
             "revision":7,"sizeBytes":100,"storedBytes":60,"transferredBytes":60,"sha256":"abc","etcdVersion":"3.6.16",
             "contents":{"hashKV":4294967295,"compactRevision":2,"keys":5}}""";

    private BackupWorld world = new BackupWorld();

    @Test
    void aBackupIsTakenOnceAndNeverAgain() throws Exception {
        world.has(backup(""));
        world.has(secret("cos-credentials"));
        run();
        assertThat(world.effects()).containsExactly("create Job b-backup", "status EtcdBackup b");
        assertThat(phase()).isEqualTo(BackupPhase.PENDING);

        world.podOf("b-backup", "Running");
        run();
        assertThat(phase()).isEqualTo(BackupPhase.RUNNING);

        world.jobEnds("b-backup", "Complete", STORED);
        run();
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

        run();
        assertThat(world.effects()).last().isEqualTo("delete Job b-backup");
        int effects = world.effects().size();
        run();
        assertThat(world.effects()).hasSize(effects);
    }

    @Test
    void progressIsShown() throws Exception {
        world.has(backup(""));
        world.has(secret("cos-credentials"));
        run();
        world.podOf("b-backup", "Running");
        world.says(ReportText.read("{\"state\":\"Running\",\"transferredBytes\":42}")
                .orElseThrow());
        run();
        assertThat(world.backup("b").getStatus().transferredBytes()).isEqualTo(42);
    }

    @Test
    void theAgentIsToldAllAndNoSecret() throws Exception {
        world.has(backup(""));
        world.has(secret("cos-credentials"));
        run();
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
                        "--path={namespace}/{cluster}/{time}-{uid}.db",
                        "--namespace=ns",
                        "--cluster=b",
                        "--uid=" + world.backup("b").getMetadata().getUid(),
                        "--time=2026-11-15T10:00:30Z",
                        "--compression=none");
        assertThat(agent.getEnv())
                .filteredOn(variable -> variable.getValueFrom() != null)
                .extracting(
                        variable -> variable.getValueFrom().getSecretKeyRef().getName())
                .containsOnly("cos-credentials");
    }

    @Test
    void aSecretThatIsNotThereIsWaitedForAndToldOnce() throws Exception {
        world.has(backup(""));
        run();
        run();
        assertThat(phase()).isEqualTo(BackupPhase.PENDING);
        assertThat(world.told()).containsExactly("SecretMissing");
        assertThat(world.sentences())
                .containsExactly("Secret cos-credentials, which spec names, is not there; create it");
        world.has(secret("cos-credentials"));
        run();
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
        run();
        assertThat(world.sentences()).containsExactly("EtcdCluster c is not there; create it, or delete this backup");
    }

    @Test
    void theAgentsSentenceIsTheUsers() throws Exception {
        world.has(backup(""));
        world.has(secret("cos-credentials"));
        run();
        world.jobEnds(
                "b-backup", "Failed", "{\"state\":\"Failed\",\"message\":\"The bucket is not there; create it\"}");
        run();
        assertThat(phase()).isEqualTo(BackupPhase.FAILED);
        assertThat(world.sentences()).contains("The bucket is not there; create it");
    }

    @Test
    void anAgentThatWasKilledIsExplained() throws Exception {
        world.has(backup(""));
        world.has(secret("cos-credentials"));
        run();
        world.jobEnds("b-backup", "Failed", "");
        run();
        assertThat(world.sentences().getLast())
                .isEqualTo("The agent's pods ended without a word (Error, exit code 2); see kubectl logs job/b-backup");
    }

    @Test
    void whatIsKeptStaysWhenTheObjectGoes() throws Exception {
        completed("");
        world.userDeletes(world.backup("b"));
        assertThat(world.find(EtcdBackup.class, "b")).isEmpty();
        run();
        assertThat(world.find(Job.class, "b-delete")).isEmpty();
    }

    @Test
    void whatIsNotKeptGoesFirst() throws Exception {
        completed("onDelete: Delete");
        world.userDeletes(world.backup("b"));
        run();
        assertThat(world.job("b-delete")
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .getFirst()
                        .getArgs())
                .contains("delete", "--path=ns/c/1.db", "--sha256=abc");
        run();
        assertThat(world.find(EtcdBackup.class, "b")).isPresent();
        world.jobEnds("b-delete", "Complete", "{\"state\":\"Completed\"}");
        run();
        assertThat(world.find(EtcdBackup.class, "b")).isEmpty();
    }

    /** As a schedule whose path has no time in it stores them, one over the other. */
    @Test
    void whatAnotherBackupIsStoredAsStays() throws Exception {
        completed("onDelete: Delete");
        EtcdBackup newer = world.backup("b");
        newer.getMetadata().setName("newer");
        world.has(newer);
        world.userDeletes(world.backup("b"));
        try {
            run();
        } catch (StaleViewException e) {
            // The object is gone before its status could be written.
        }
        assertThat(world.find(Job.class, "b-delete")).isEmpty();
        assertThat(world.find(EtcdBackup.class, "b")).isEmpty();
        assertThat(world.told()).contains("BackupLeft");
    }

    @Test
    void aStoreThatRefusesIsAskedAgain() throws Exception {
        completed("onDelete: Delete");
        world.userDeletes(world.backup("b"));
        run();
        world.jobEnds("b-delete", "Failed", "{\"state\":\"Failed\",\"message\":\"denied\"}");
        run();
        assertThat(world.told()).contains("EraseFailed");
        world.pass(Duration.ofMinutes(6));
        run();
        run();
        assertThat(world.effects().stream().filter("create Job b-delete"::equals))
                .hasSize(2);
    }

    /** It would wait for this object for ever, and this object for a Job that cannot be made. */
    @Test
    void aNamespaceThatEndsIsNotHeldUp() throws Exception {
        completed("onDelete: Delete");
        world.userDeletes(world.backup("b"));
        world.namespaceEnds();
        try {
            run();
        } catch (StaleViewException e) {
            // The object is gone before its status could be written.
        }
        assertThat(world.find(EtcdBackup.class, "b")).isEmpty();
        assertThat(world.told()).contains("BackupLeft");
    }

    @Test
    void anExpiredOneTakesWhatIsStoredAlong() throws Exception {
        completed("");
        EtcdBackup backup = world.backup("b");
        world.annotate(backup, Map.of(Labels.EXPIRED, "true"));
        run();
        assertThat(world.backup("b").getMetadata().getFinalizers()).containsExactly(Labels.STORED_BACKUP);
    }

    /** The operator dies after each of its effects, and another one goes on. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void aDeathAtAnyEffectChangesNothing(int effect) throws Exception {
        world.dieAtEffect(effect);
        world.has(backup("onDelete: Delete"));
        world.has(secret("cos-credentials"));
        runUntilQuiet();
        world.podOf("b-backup", "Running");
        runUntilQuiet();
        world.jobEnds("b-backup", "Complete", STORED);
        runUntilQuiet();
        assertThat(phase()).isEqualTo(BackupPhase.COMPLETED);
        world.userDeletes(world.backup("b"));
        runUntilQuiet();
        world.jobEnds("b-delete", "Complete", "{\"state\":\"Completed\"}");
        runUntilQuiet();

        assertThat(world.find(EtcdBackup.class, "b")).isEmpty();
        assertThat(world.effects().stream().filter("create Job b-backup"::equals))
                .hasSize(1);
        assertThat(world.effects().stream().filter("create Job b-delete"::equals))
                .hasSize(1);
    }

    private void completed(String more) throws Exception {
        world.has(backup(more));
        world.has(secret("cos-credentials"));
        runUntilQuiet();
        world.jobEnds("b-backup", "Complete", STORED);
        runUntilQuiet();
    }

    private void runUntilQuiet() throws Exception {
        for (int i = 0; i < 6; i++) {
            try {
                run();
            } catch (BackupWorld.Death e) {
                // Another operator starts with nothing but what is stored.
                i = 0;
            }
        }
    }

    private void run() throws StaleViewException {
        new BackupPass(world, world, world, "operator:1", world.clock()).run(KEY);
    }

    private BackupPhase phase() {
        return world.backup("b").getStatus().phase();
    }

    private static EtcdBackup backup(String more) {
        return Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackup
                metadata: {name: b}
                spec:
                  source: {endpoints: ["https://etcd.example.com:2379"]}
                  destination:
                    bucket:
                      bucketURL: s3://etcd-backups
                      credentials: {aws: {secretRef: {name: cos-credentials}}}
                """ + more.indent(2), EtcdBackup.class);
    }

    private static Secret secret(String name) {
        return new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build();
    }
}
