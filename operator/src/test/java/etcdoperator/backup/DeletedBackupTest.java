package etcdoperator.backup;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeletedBackupTest {
    private final BackupStage stage = new BackupStage();
    private final BackupWorld world = stage.world;

    @Test
    void whatIsKeptStaysWhenTheObjectGoes() throws Exception {
        stage.completed("");
        world.userDeletes(world.backup("b"));
        assertThat(world.find(EtcdBackup.class, "b")).isEmpty();
        stage.run();
        assertThat(world.find(Job.class, "b-delete")).isEmpty();
    }

    @Test
    void whatIsNotKeptGoesFirst() throws Exception {
        stage.completed("onDelete: Delete");
        world.userDeletes(world.backup("b"));
        stage.run();
        assertThat(world.job("b-delete")
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .getFirst()
                        .getArgs())
                .contains("delete", "--path=ns/c/1.db", "--sha256=abc");
        stage.run();
        assertThat(world.find(EtcdBackup.class, "b")).isPresent();
        world.jobEnds("b-delete", "Complete", "{\"state\":\"Completed\"}");
        stage.run();
        assertThat(world.find(EtcdBackup.class, "b")).isEmpty();
    }

    /** As a schedule whose path has no time in it stores them, one over the other. */
    @Test
    void whatAnotherBackupIsStoredAsStays() throws Exception {
        stage.completed("onDelete: Delete");
        EtcdBackup newer = world.backup("b");
        newer.getMetadata().setName("newer");
        world.has(newer);
        world.userDeletes(world.backup("b"));
        try {
            stage.run();
        } catch (StaleViewException e) {
            // The object is gone before its status could be written.
        }
        assertThat(world.find(Job.class, "b-delete")).isEmpty();
        assertThat(world.find(EtcdBackup.class, "b")).isEmpty();
        assertThat(world.told()).contains("BackupLeft");
    }

    @Test
    void aStoreThatRefusesIsAskedAgain() throws Exception {
        stage.completed("onDelete: Delete");
        world.userDeletes(world.backup("b"));
        stage.run();
        world.jobEnds("b-delete", "Failed", "{\"state\":\"Failed\",\"message\":\"denied\"}");
        stage.run();
        assertThat(world.told()).contains("EraseFailed");
        world.pass(Duration.ofMinutes(6));
        stage.run();
        stage.run();
        assertThat(world.effects().stream().filter("create Job b-delete"::equals))
                .hasSize(2);
    }

    /** It would wait for this object for ever, and this object for a Job that cannot be made. */
    @Test
    void aNamespaceThatEndsIsNotHeldUp() throws Exception {
        stage.completed("onDelete: Delete");
        world.userDeletes(world.backup("b"));
        world.kube().endNamespace();
        try {
            stage.run();
        } catch (StaleViewException e) {
            // The object is gone before its status could be written.
        }
        assertThat(world.find(EtcdBackup.class, "b")).isEmpty();
        assertThat(world.told()).contains("BackupLeft");
    }

    @Test
    void anExpiredOneTakesWhatIsStoredAlong() throws Exception {
        stage.completed("");
        EtcdBackup backup = world.backup("b");
        world.kube().annotate(backup, Map.of(Labels.EXPIRED, "true"));
        stage.run();
        assertThat(world.backup("b").getMetadata().getFinalizers()).containsExactly(Labels.STORED_BACKUP);
    }
}
