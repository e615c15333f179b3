package etcdoperator.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.backup.DrillStatus.DrillResult;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever comes in between: no drill is lost or doubled, no backup held up, and people are told. */
class DrillTroublesTest extends DrillStage {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void aDeathAtAnyEffectDoublesNoDrill(int effect) throws Exception {
        world.has(schedule(DAILY + "\nsuspend: false\nstartingDeadline: 10s"));
        made("s-1", "2026-11-15T09:00:00Z");
        world.kube().dieAtWrite(effect, true);
        runThroughDeath();
        world.set("2026-11-15T12:00:30Z");
        runThroughDeath();
        if (jobs().contains(NOON)) {
            world.jobEnds(NOON, "Complete", PASSED);
        }
        runThroughDeath();
        assertThat(world.effects().stream().filter(("create Job " + NOON)::equals))
                .hasSize(1);
        assertThat(drill().result()).isEqualTo(DrillResult.PASSED);
        assertThat(jobs()).isEmpty();
    }

    /** It was made, and the operator died before it could write that down, until it was over. */
    @Test
    void whatEndedWhileNobodyLookedIsWrittenDownAndNotDoneAgain() throws Exception {
        world.has(schedule(DAILY));
        made("s-1", "2026-11-15T09:00:00Z");
        run();
        EtcdBackupSchedule before = world.scheduleNamed("s");
        world.set("2026-11-15T12:00:30Z");
        run();
        EtcdBackupSchedule forgotten = world.scheduleNamed("s");
        forgotten.setStatus(before.getStatus());
        world.changes(forgotten);
        world.jobEnds(NOON, "Complete", PASSED);
        run();
        assertThat(drill().result()).isEqualTo(DrillResult.PASSED);
        assertThat(drill().lastScheduleTime()).isEqualTo("2026-11-15T12:00:00Z");
        run();
        run();
        assertThat(jobs()).isEmpty();
    }

    /** It was made, and the watch is slower than the one that brings what was written down of it. */
    @Test
    void aJobThatIsNotToBeSeenYetIsNoFailure() throws Exception {
        atNoon("s-1");
        Job unseen = world.job(NOON);
        world.kube().delete(unseen);
        world.pass(Duration.ofSeconds(29));
        assertThat(run()).isLessThanOrEqualTo(Duration.ofMinutes(1));
        assertThat(drill().result()).isEqualTo(DrillResult.RUNNING);
        assertThat(jobs()).isEmpty();
        world.changes(unseen);
        world.jobEnds(NOON, "Complete", PASSED);
        run();
        assertThat(drill().result()).isEqualTo(DrillResult.PASSED);
        assertThat(toldOfDrills()).containsExactly("DrillStarted", "DrillPassed");
    }

    @Test
    void aBackupThatIsRefusedHoldsUpNoDrill() throws Exception {
        world.has(schedule(DAILY));
        made("s-1", "2026-11-15T09:00:00Z");
        run();
        world.kube().refuse("create EtcdBackup", "exceeded quota: backups");
        world.set("2026-11-15T12:00:30Z");
        assertThat(run()).isEqualTo(Duration.ofSeconds(10));
        assertThat(jobs()).containsExactly(NOON);
        assertThat(drill().result()).isEqualTo(DrillResult.RUNNING);
        world.jobEnds(NOON, "Failed", "{\"state\":\"Failed\",\"message\":\"it holds 4 keys\"}");
        world.set("2026-11-15T12:05:00Z");
        run();
        run();
        assertThat(conditions().get("Drilled").getStatus()).isEqualTo("False");
        Condition ready = conditions().get("Ready");
        assertThat(ready.getReason()).isEqualTo("Refused");
        assertThat(ready.getMessage()).isEqualTo("exceeded quota: backups");
        assertThat(ready.getLastTransitionTime()).isEqualTo("2026-11-15T12:00:30Z");
        assertThat(world.told()).containsExactly("Refused", "DrillStarted", "DrillFailed");

        world.kube().allow("create EtcdBackup");
        world.set("2026-11-15T12:06:00Z");
        run();
        assertThat(world.find(EtcdBackup.class, "s-202611151100")).isPresent();
        assertThat(conditions().get("Ready").getStatus()).isEqualTo("True");
        assertThat(conditions().get("Drilled").getStatus()).isEqualTo("False");
    }

    @Test
    void aDrillThatIsRefusedHoldsUpNoBackup() throws Exception {
        world.kube().refuse("create Job", "exceeded quota: jobs");
        atNoon("s-1");
        run();
        assertThat(world.find(EtcdBackup.class, "s-202611151100")).isPresent();
        assertThat(conditions().get("Ready").getStatus()).isEqualTo("True");
        assertThat(conditions().get("Drilled").getMessage()).isEqualTo("exceeded quota: jobs");
        assertThat(toldOfDrills()).containsExactly("DrillDelayed");
        world.kube().allow("create Job");
        run();
        assertThat(jobs()).containsExactly(NOON);
    }

    /** Of two conditions that fail, each has its own time. */
    @Test
    void sinceWhenBackupsAreRefusedIsNotSinceWhenADrillFailed() throws Exception {
        atNoon("s-1");
        world.jobEnds(NOON, "Failed", "{\"state\":\"Failed\",\"message\":\"it holds 4 keys\"}");
        run();
        world.kube().refuse("create EtcdBackup", "exceeded quota: backups");
        world.kube().annotate(world.scheduleNamed("s"), Map.of(Labels.BACKUP_NOW, "please"));
        world.kube().delete(world.backup("s-202611151100"));
        world.set("2026-11-15T12:30:00Z");
        run();
        assertThat(conditions().get("Drilled").getLastTransitionTime()).isEqualTo("2026-11-15T12:00:30Z");
        assertThat(conditions().get("Ready").getLastTransitionTime()).isEqualTo("2026-11-15T12:30:00Z");
    }
}
