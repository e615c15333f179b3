package io.improbable.etcd.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.improbable.etcd.api.DrillStatus;
import io.improbable.etcd.api.DrillStatus.DrillResult;
import io.improbable.etcd.api.EtcdBackup;
import io.improbable.etcd.api.EtcdBackupSchedule;
import io.improbable.etcd.backup.BackupWorld;
import io.improbable.etcd.domain.ObjectKey;
import io.improbable.etcd.kube.Kube.StaleViewException;
import io.improbable.etcd.manifest.Labels;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The newest backup is tried by the clock or at once, one at a time, and what comes of it is written down. */
class DrillPassTest {
    private static final ObjectKey KEY = new ObjectKey(BackupWorld.NAMESPACE, "s");
    private static final String DAILY = "drill: {schedule: \"0 12 * * *\"}";
    private static final String NOON = "s-drill-202611151200";
    private static final String PASSED = """
            {"state":"Completed","message":"it holds revision 7, and all else","revision":7,
             "contents":{"hashKV":3000000000,"compactRevision":1,"keys":5}}""";

    private final BackupWorld world = new BackupWorld();

    @Test
    void whereNobodyAsksNothingIsTriedOrSaid() throws Exception {
        world.has(schedule(""));
        made("s-1", "2026-11-15T09:00:00Z");
        run();
        assertThat(world.scheduleNamed("s").getStatus().drill()).isNull();
        assertThat(conditions()).containsOnlyKeys("Ready");
    }

    @Test
    void itWaitsForItsTime() throws Exception {
        world.has(schedule(DAILY));
        made("s-1", "2026-11-15T09:00:00Z");
        run();
        assertThat(drill().nextTime()).isEqualTo("2026-11-15T12:00:00Z");
        assertThat(drill().result()).isNull();
        assertThat(conditions().get("Drilled").getStatus()).isEqualTo("Unknown");
        assertThat(conditions().get("Drilled").getReason()).isEqualTo("NotYet");
        world.set("2026-11-15T11:59:30Z");
        assertThat(run()).isLessThan(Duration.ofSeconds(31));
    }

    @Test
    void theNewestThatIsCompleteIsTriedAndItsJobGoes() throws Exception {
        atNoon("s-1", "s-2");
        assertThat(world.job(NOON).getMetadata().getAnnotations()).containsEntry(Labels.DRILLED, "s-2");
        assertThat(drill().result()).isEqualTo(DrillResult.RUNNING);
        assertThat(drill().backup()).isEqualTo("s-2");
        run();
        world.jobEnds(NOON, "Complete", PASSED);
        world.set("2026-11-15T12:05:00Z");
        run();
        assertThat(drill().result()).isEqualTo(DrillResult.PASSED);
        assertThat(drill().keys()).isEqualTo(5);
        assertThat(drill().revision()).isEqualTo(7);
        assertThat(drill().lastTime()).isEqualTo("2026-11-15T12:05:00Z");
        assertThat(drill().lastSuccessTime()).isEqualTo("2026-11-15T12:05:00Z");
        Condition drilled = conditions().get("Drilled");
        assertThat(drilled.getStatus()).isEqualTo("True");
        assertThat(drilled.getMessage())
                .contains("EtcdBackup s-2", "revision 7")
                .isEqualTo(drill().message());
        assertThat(world.sentences()).contains(drilled.getMessage());
        run();
        run();
        assertThat(jobs()).isEmpty();
        assertThat(toldOfDrills()).containsExactly("DrillStarted", "DrillPassed");
        assertThat(drill().nextTime()).isEqualTo("2026-11-16T12:00:00Z");
    }

    @Test
    void oneThatFailsIsSaidAndItsJobStaysUntilTheNext() throws Exception {
        atNoon("s-1");
        world.jobEnds(NOON, "Failed", "{\"state\":\"Failed\",\"message\":\"it holds 4 keys\"}");
        run();
        run();
        assertThat(drill().result()).isEqualTo(DrillResult.FAILED);
        assertThat(conditions().get("Drilled").getStatus()).isEqualTo("False");
        assertThat(conditions().get("Drilled").getMessage())
                .isEqualTo("EtcdBackup s-1 did not pass its drill: it holds 4 keys");
        assertThat(toldOfDrills()).containsExactly("DrillStarted", "DrillFailed");
        assertThat(jobs()).containsExactly(NOON);

        world.annotate(world.scheduleNamed("s"), Map.of(Labels.DRILL_NOW, "again"));
        run();
        assertThat(jobs()).isEmpty();
        run();
        assertThat(jobs()).singleElement().asString().startsWith("s-drill-now-");
        // The verdict holds until there is another one.
        assertThat(conditions().get("Drilled").getStatus()).isEqualTo("False");
        assertThat(drill().result()).isEqualTo(DrillResult.RUNNING);
    }

    @Test
    void eachNewWishIsGrantedOnceEvenWithoutACalendar() throws Exception {
        world.has(schedule("suspend: true"));
        made("s-1", "2026-11-15T09:00:00Z");
        for (String wish : List.of("1", "2", "1")) {
            world.annotate(world.scheduleNamed("s"), Map.of(Labels.DRILL_NOW, wish));
            run();
            run();
            assertThat(jobs()).hasSize(1);
            world.jobEnds(jobs().getFirst(), "Complete", PASSED);
            run();
            run();
            run();
            assertThat(jobs()).isEmpty();
        }
        assertThat(toldOfDrills()).hasSize(6);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void aDeathAtAnyEffectDoublesNoDrill(int effect) throws Exception {
        world.has(schedule(DAILY + "\nsuspend: false\nstartingDeadline: 10s"));
        made("s-1", "2026-11-15T09:00:00Z");
        world.dieAtEffect(effect);
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

    @Test
    void whileOneRunsNoOtherIsStarted() throws Exception {
        atNoon("s-1");
        world.annotate(world.scheduleNamed("s"), Map.of(Labels.DRILL_NOW, "too"));
        world.set("2026-11-16T12:00:30Z");
        run();
        run();
        assertThat(jobs()).containsExactly(NOON);
    }

    @Test
    void withoutABackupItIsSaidAndBeginsWithTheFirst() throws Exception {
        world.has(schedule(DAILY));
        run();
        world.set("2026-11-15T12:00:30Z");
        run();
        run();
        assertThat(conditions().get("Drilled").getReason()).isEqualTo("NoBackup");
        assertThat(toldOfDrills()).containsExactly("DrillDelayed");
        made("s-1", "2026-11-15T12:01:00Z");
        run();
        assertThat(jobs()).containsExactly(NOON);
    }

    @Test
    void whatComesDueWhileSuspendedIsNotMadeUpFor() throws Exception {
        world.has(schedule(DAILY + "\nsuspend: true"));
        made("s-1", "2026-11-15T09:00:00Z");
        run();
        world.set("2026-11-15T12:00:30Z");
        run();
        EtcdBackupSchedule resumed = schedule(DAILY);
        resumed.setStatus(world.scheduleNamed("s").getStatus());
        world.has(resumed);
        run();
        assertThat(jobs()).isEmpty();
        assertThat(drill().nextTime()).isEqualTo("2026-11-16T12:00:00Z");
    }

    /** Drills that are asked for later make up for none of before. */
    @Test
    void anotherCalendarMakesUpForNothing() throws Exception {
        atNoon("s-1");
        world.jobEnds(NOON, "Complete", PASSED);
        run();
        run();
        EtcdBackupSchedule changed = schedule("drill: {schedule: \"0 6 * * *\"}");
        changed.setStatus(world.scheduleNamed("s").getStatus());
        world.has(changed);
        world.set("2026-11-16T08:00:00Z");
        run();
        assertThat(jobs()).isEmpty();
        assertThat(drill().nextTime()).isEqualTo("2026-11-17T06:00:00Z");
    }

    @Test
    void whoTakesTheCalendarAwayKeepsWhatWasFound() throws Exception {
        atNoon("s-1");
        EtcdBackupSchedule changed = schedule("");
        EtcdBackupSchedule known = world.scheduleNamed("s");
        known.setSpec(changed.getSpec());
        world.changes(known);
        world.jobEnds(NOON, "Complete", PASSED);
        run();
        run();
        assertThat(drill().result()).isEqualTo(DrillResult.PASSED);
        assertThat(drill().nextTime()).isNull();
        assertThat(conditions().get("Drilled").getStatus()).isEqualTo("True");
    }

    @Test
    void aJobThatSomebodyDeletesIsAFailure() throws Exception {
        atNoon("s-1");
        world.delete(world.job(NOON));
        run();
        assertThat(drill().result()).isEqualTo(DrillResult.FAILED);
        assertThat(drill().message()).contains("its Job was deleted");
        run();
        assertThat(jobs()).isEmpty();
    }

    @Test
    void oneThatTakesTooLongIsSaidToHave() throws Exception {
        atNoon("s-1");
        world.changes(new JobBuilder(world.job(NOON))
                .withNewStatus()
                .addNewCondition()
                .withType("Failed")
                .withStatus("True")
                .withReason("DeadlineExceeded")
                .endCondition()
                .endStatus()
                .build());
        run();
        assertThat(drill().result()).isEqualTo(DrillResult.FAILED);
        assertThat(drill().message()).contains("spec.drill.activeDeadline");
    }

    /** What users are told of a pod that cannot start is told of this one, too. */
    @Test
    void whatHoldsItUpIsSaidWhileItRuns() throws Exception {
        atNoon("s-1");
        world.podOf(NOON, "Pending");
        Pod pod = world.find(Pod.class, NOON + "-x").orElseThrow();
        world.changes(new PodBuilder(pod)
                .editStatus()
                .addNewCondition()
                .withType("PodScheduled")
                .withStatus("False")
                .withMessage("0/3 nodes are available")
                .endCondition()
                .endStatus()
                .build());
        run();
        assertThat(drill().result()).isEqualTo(DrillResult.RUNNING);
        assertThat(drill().message()).contains("0/3 nodes are available");
    }

    @Test
    void aBackupOfAnUnknownVersionCannotBeTried() throws Exception {
        world.has(schedule(DAILY));
        EtcdBackup backup = backup("s-1", "2026-11-15T09:00:00Z", "unknown");
        world.has(backup);
        run();
        world.set("2026-11-15T12:00:30Z");
        run();
        run();
        assertThat(drill().result()).isEqualTo(DrillResult.FAILED);
        assertThat(drill().message()).contains("etcd version");
        assertThat(jobs()).isEmpty();
    }

    @Test
    void whatIsBeingTriedIsNotRemovedMeanwhile() throws Exception {
        world.has(schedule(DAILY + "\nretention: {keepLast: 1}"));
        made("s-1", "2026-11-15T09:00:00Z");
        run();
        world.set("2026-11-15T12:00:30Z");
        run();
        made("s-2", "2026-11-15T12:01:00Z");
        run();
        assertThat(world.backup("s-1").getMetadata().getAnnotations()).isNullOrEmpty();
        world.jobEnds(NOON, "Complete", PASSED);
        run();
        run();
        assertThat(world.backup("s-1").getMetadata().getAnnotations()).containsEntry(Labels.EXPIRED, "true");
    }

    @Test
    void aCrontabThatCannotBeReadHoldsUpNoBackup() throws Exception {
        world.has(schedule("drill: {schedule: \"0 0 31 2 *\"}"));
        run();
        world.set("2026-11-15T11:00:30Z");
        run();
        assertThat(world.backups()).hasSize(1);
        assertThat(conditions().get("Ready").getStatus()).isEqualTo("True");
        assertThat(conditions().get("Drilled").getReason()).isEqualTo("InvalidSpec");
    }

    private void atNoon(String... backups) throws StaleViewException {
        world.has(schedule(DAILY));
        for (int i = 0; i < backups.length; i++) {
            made(backups[i], "2026-11-15T0%d:00:00Z".formatted(i + 1));
        }
        run();
        world.set("2026-11-15T12:00:30Z");
        run();
    }

    private void made(String name, String completed) {
        world.has(backup(name, completed, "3.6.16"));
    }

    private DrillStatus drill() {
        return world.scheduleNamed("s").getStatus().drill();
    }

    private Map<String, Condition> conditions() {
        return world.scheduleNamed("s").getStatus().conditions().stream()
                .collect(Collectors.toMap(Condition::getType, condition -> condition));
    }

    private List<String> toldOfDrills() {
        return world.told().stream()
                .filter(reason -> reason.startsWith("Drill"))
                .toList();
    }

    private List<String> jobs() {
        return world.schedule(KEY).orElseThrow().drills().stream()
                .map((Job job) -> job.getMetadata().getName())
                .toList();
    }

    private Duration run() throws StaleViewException {
        return new SchedulePass(world, world, "operator:1", world.clock())
                .run(KEY)
                .orElseThrow();
    }

    private void runThroughDeath() throws StaleViewException {
        for (int i = 0; i < 4; i++) {
            try {
                run();
            } catch (BackupWorld.Death e) {
                i = 0;
            }
        }
    }

    private static EtcdBackup backup(String name, String completed, String version) {
        return Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackup
                metadata: {name: %s, labels: {etcd.improbable.io/schedule: s}}
                spec: {source: {cluster: c}, destination: {volume: {claimName: backups}}}
                status: {phase: Completed, path: p, revision: 7, etcdVersion: "%s", completionTime: "%s"}
                """.formatted(name, version, completed), EtcdBackup.class);
    }

    /** Backups are taken once a day, and not while drills are looked at. */
    private static EtcdBackupSchedule schedule(String more) {
        return Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackupSchedule
                metadata: {name: s}
                spec:
                  schedule: "0 11 * * *"
                  backupTemplate:
                    source: {cluster: c}
                    destination: {volume: {claimName: backups}}
                """ + more.indent(2), EtcdBackupSchedule.class);
    }
}
