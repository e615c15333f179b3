package etcdoperator.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.backup.BackupWorld;
import etcdoperator.manifest.Labels;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchedulePassTest {
    private final ScheduleStage stage = new ScheduleStage();
    private final BackupWorld world = stage.world;

    @Test
    void nothingIsDueBeforeItsTime() throws Exception {
        world.has(ScheduleStage.schedule(""));
        assertThat(stage.run()).isEqualTo(Duration.ofMinutes(10));
        assertThat(world.backups()).isEmpty();
        assertThat(world.scheduleNamed("s").getStatus().nextScheduleTime()).isEqualTo("2026-11-15T11:00:00Z");
    }

    @Test
    void whatIsDueIsMadeOnceUnderTheNameOfItsTime() throws Exception {
        world.has(ScheduleStage.schedule(""));
        stage.run();
        world.set("2026-11-15T11:00:00Z");
        stage.run();
        stage.run();
        assertThat(stage.names()).containsExactly("s-202611151100");
        assertThat(world.backup("s-202611151100").getMetadata().getLabels()).containsEntry(Labels.SCHEDULE, "s");
        assertThat(world.backup("s-202611151100").getMetadata().getOwnerReferences())
                .isEmpty();
        var status = world.scheduleNamed("s").getStatus();
        assertThat(status.lastScheduleTime()).isEqualTo("2026-11-15T11:00:00Z");
        assertThat(status.active()).containsExactly("s-202611151100");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void aDeathAtAnyEffectDoublesNoRun(int effect) throws Exception {
        world.has(ScheduleStage.schedule("retention: {keepLast: 1}"));
        world.kube().dieAtWrite(effect, true);
        stage.runThroughDeath();
        world.set("2026-11-15T11:00:00Z");
        stage.runThroughDeath();
        stage.ends("s-202611151100", "Completed");
        world.set("2026-11-15T12:00:00Z");
        stage.runThroughDeath();
        assertThat(world.effects().stream().filter("create EtcdBackup s-202611151100"::equals))
                .hasSize(1);
        assertThat(stage.names()).containsExactly("s-202611151100", "s-202611151200");
    }

    @Test
    void whileOneRunsTheNextWaits() throws Exception {
        stage.started();
        world.set("2026-11-15T12:00:00Z");
        stage.run();
        stage.run();
        assertThat(stage.names()).containsExactly("s-202611151100");
        assertThat(world.told()).containsExactly("BackupScheduled", "BackupDelayed");
        stage.ends("s-202611151100", "Completed");
        stage.run();
        assertThat(stage.names()).containsExactly("s-202611151100", "s-202611151200");
    }

    @Test
    void whereItIsToBeReplacedItGoes() throws Exception {
        world.has(ScheduleStage.schedule("concurrencyPolicy: Replace"));
        stage.run();
        world.set("2026-11-15T11:00:00Z");
        stage.run();
        world.set("2026-11-15T12:00:00Z");
        stage.run();
        assertThat(stage.names()).containsExactly("s-202611151200");
    }

    @Test
    void eachNewWishIsGrantedOnce() throws Exception {
        EtcdBackupSchedule schedule = ScheduleStage.schedule("suspend: true");
        schedule.getMetadata().setAnnotations(Map.of(Labels.BACKUP_NOW, "please"));
        world.has(schedule);
        stage.run();
        stage.run();
        assertThat(stage.names()).singleElement().asString().startsWith("s-now-");
        stage.ends(stage.names().getFirst(), "Completed");
        world.kube().annotate(world.scheduleNamed("s"), Map.of(Labels.BACKUP_NOW, "again"));
        stage.run();
        stage.run();
        assertThat(stage.names()).hasSize(2);
    }

    @Test
    void aWishOfBeforeIsANewOneAfterAnother() throws Exception {
        world.has(ScheduleStage.schedule("suspend: true"));
        for (String wish : List.of("1", "2", "1")) {
            world.kube().annotate(world.scheduleNamed("s"), Map.of(Labels.BACKUP_NOW, wish));
            stage.run();
            stage.names().forEach(name -> stage.ends(name, "Completed"));
        }
        assertThat(stage.names()).hasSize(3);
        for (String wish : List.of("2", "1")) {
            world.kube().annotate(world.scheduleNamed("s"), Map.of(Labels.BACKUP_NOW, wish));
            stage.run();
            stage.names().forEach(name -> stage.ends(name, "Completed"));
        }
        assertThat(world.told()).endsWith("BackupMade");
    }

    @Test
    void aTimeZoneThatNobodyKnowsIsSaid() throws Exception {
        world.has(ScheduleStage.schedule("timeZone: Europe/Atlantis"));
        stage.run();
        stage.run();
        assertThat(world.told()).containsExactly("InvalidSpec");
        assertThat(world.scheduleNamed("s").getStatus().conditions())
                .singleElement()
                .satisfies(condition -> assertThat(condition.getMessage()).contains("Europe/Atlantis"));
    }

    /** First it is written down that what is stored goes along, then the object goes. */
    @Test
    void whatHasHadItsTimeGoesWithWhatIsStored() throws Exception {
        world.has(ScheduleStage.schedule("retention: {keepLast: 1}"));
        stage.made("s-1", "Completed", "2026-11-15T08:00:00Z");
        stage.made("s-2", "Completed", "2026-11-15T09:00:00Z");
        stage.run();
        assertThat(world.backup("s-1").getMetadata().getAnnotations()).containsEntry(Labels.EXPIRED, "true");
        stage.run();
        assertThat(stage.names()).containsExactly("s-1", "s-2");
        EtcdBackup held = world.backup("s-1");
        world.kube().bind(held, List.of(Labels.STORED_BACKUP), List.of());
        stage.run();
        assertThat(world.backup("s-1").getMetadata().getDeletionTimestamp()).isNotNull();
        assertThat(world.backup("s-2").getMetadata().getAnnotations()).isNullOrEmpty();
    }
}
