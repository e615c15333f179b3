package etcdoperator.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.backup.BackupWorld;
import etcdoperator.manifest.Labels;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** All of them are older than the policy allows, by the clock of this operator alone. */
    @Test
    void aLeaderWhoseClockIsAYearAheadRemovesNothing() throws Exception {
        world.has(ScheduleStage.schedule("retention: {maxAge: 720h}"));
        stage.made("s-1", "Completed", "2026-11-15T08:00:00Z");
        stage.made("s-2", "Completed", "2026-11-15T09:00:00Z");
        stage.serverSays(Optional.of(Instant.parse("2026-11-15T10:00:00Z")));
        world.set("2027-11-15T10:00:00Z");
        assertThat(stage.run()).isLessThanOrEqualTo(Duration.ofMinutes(1));
        letGo();
        assertThat(stage.names()).contains("s-1", "s-2");
        assertThat(world.told()).containsOnlyOnce("ClocksDisagree");
        stage.serverSays(Optional.empty());
        letGo();
        assertThat(stage.names()).contains("s-1", "s-2");
    }

    @Test
    void aMistakeInThePolicyRemovesFewWithinAnHourAndAllInTheEnd() throws Exception {
        world.has(ScheduleStage.schedule("suspend: true\nretention: {keepLast: 1}"));
        for (int day = 1; day <= 14; day++) {
            stage.made("s-%02d".formatted(day), "Completed", "2026-11-%02dT08:00:00Z".formatted(day));
        }
        for (int minute = 0; minute < 59; minute++) {
            world.pass(Duration.ofMinutes(1));
            letGo();
        }
        assertThat(stage.names()).hasSize(13).doesNotContain("s-01");
        for (int hour = 0; hour < 13; hour++) {
            world.pass(Duration.ofHours(1));
            letGo();
        }
        assertThat(stage.names()).containsExactly("s-14");
        assertThat(world.told()).containsOnlyOnce("ExpiryLimited");
    }

    /** Passes with all that others do in between. */
    private void letGo() throws Exception {
        for (int i = 0; i < 3; i++) {
            stage.run();
            for (EtcdBackup backup : world.backups()) {
                if (backup.getMetadata().getDeletionTimestamp() != null) {
                    world.kube().bind(backup, List.of(), List.of());
                } else if (backup.getMetadata().getAnnotations() != null
                        && "true".equals(backup.getMetadata().getAnnotations().get(Labels.EXPIRED))) {
                    world.kube().bind(backup, List.of(Labels.STORED_BACKUP), List.of());
                }
            }
        }
    }
}
