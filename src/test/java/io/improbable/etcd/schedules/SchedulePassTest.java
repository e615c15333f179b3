package io.improbable.etcd.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.improbable.etcd.api.EtcdBackup;
import io.improbable.etcd.api.EtcdBackupSchedule;
import io.improbable.etcd.api.EtcdBackupSpec;
import io.improbable.etcd.backup.BackupWorld;
import io.improbable.etcd.domain.ObjectKey;
import io.improbable.etcd.kube.Kube.StaleViewException;
import io.improbable.etcd.manifest.Backups;
import io.improbable.etcd.manifest.Labels;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchedulePassTest {
    private static final ObjectKey KEY = new ObjectKey(BackupWorld.NAMESPACE, "s");

    private final BackupWorld world = new BackupWorld();

    @Test
    void nothingIsDueBeforeItsTime() throws Exception {
        world.has(schedule(""));
        assertThat(run()).isEqualTo(Duration.ofMinutes(10));
        assertThat(world.backups()).isEmpty();
        assertThat(world.scheduleNamed("s").getStatus().nextScheduleTime()).isEqualTo("2026-11-15T11:00:00Z");
    }

    @Test
    void whatIsDueIsMadeOnceUnderTheNameOfItsTime() throws Exception {
        world.has(schedule(""));
        run();
        world.set("2026-11-15T11:00:00Z");
        run();
        run();
        assertThat(names()).containsExactly("s-202611151100");
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
        world.has(schedule("retention: {keepLast: 1}"));
        world.dieAtEffect(effect);
        runThroughDeath();
        world.set("2026-11-15T11:00:00Z");
        runThroughDeath();
        ends("s-202611151100", "Completed");
        world.set("2026-11-15T12:00:00Z");
        runThroughDeath();
        assertThat(world.effects().stream().filter("create EtcdBackup s-202611151100"::equals))
                .hasSize(1);
        assertThat(names()).containsExactly("s-202611151100", "s-202611151200");
    }

    @Test
    void runsThatWereMissedAreMadeUpForOnce() throws Exception {
        world.has(schedule(""));
        run();
        world.set("2026-11-15T14:20:00Z");
        run();
        assertThat(names()).containsExactly("s-202611151400");
    }

    @Test
    void aRunThatIsTooLateIsMissed() throws Exception {
        world.has(schedule("startingDeadline: 10m"));
        run();
        world.set("2026-11-15T14:20:00Z");
        run();
        run();
        assertThat(names()).isEmpty();
        assertThat(world.told()).containsExactly("BackupMissed");
    }

    @Test
    void whileOneRunsTheNextWaits() throws Exception {
        started();
        world.set("2026-11-15T12:00:00Z");
        run();
        run();
        assertThat(names()).containsExactly("s-202611151100");
        assertThat(world.told()).containsExactly("BackupScheduled", "BackupDelayed");
        ends("s-202611151100", "Completed");
        run();
        assertThat(names()).containsExactly("s-202611151100", "s-202611151200");
    }

    @Test
    void whereItIsToBeReplacedItGoes() throws Exception {
        world.has(schedule("concurrencyPolicy: Replace"));
        run();
        world.set("2026-11-15T11:00:00Z");
        run();
        world.set("2026-11-15T12:00:00Z");
        run();
        assertThat(names()).containsExactly("s-202611151200");
    }

    @Test
    void whereItIsAllowedBothRun() throws Exception {
        world.has(schedule("concurrencyPolicy: Allow"));
        run();
        world.set("2026-11-15T11:00:00Z");
        run();
        world.set("2026-11-15T12:00:00Z");
        run();
        assertThat(names()).containsExactly("s-202611151100", "s-202611151200");
    }

    @Test
    void whatComesDueWhileSuspendedIsNotMadeUpFor() throws Exception {
        world.has(schedule("suspend: true"));
        world.set("2026-11-15T11:00:00Z");
        run();
        EtcdBackupSchedule resumed = schedule("");
        resumed.setStatus(world.scheduleNamed("s").getStatus());
        resumed.getMetadata().setCreationTimestamp("2026-11-15T10:00:30Z");
        world.has(resumed);
        world.set("2026-11-15T11:10:00Z");
        run();
        assertThat(names()).isEmpty();
    }

    @Test
    void eachNewWishIsGrantedOnce() throws Exception {
        EtcdBackupSchedule schedule = schedule("suspend: true");
        schedule.getMetadata().setAnnotations(Map.of(Labels.BACKUP_NOW, "please"));
        world.has(schedule);
        run();
        run();
        assertThat(names()).singleElement().asString().startsWith("s-now-");
        ends(names().getFirst(), "Completed");
        world.annotate(world.scheduleNamed("s"), Map.of(Labels.BACKUP_NOW, "again"));
        run();
        run();
        assertThat(names()).hasSize(2);
    }

    @Test
    void aWishOfBeforeIsANewOneAfterAnother() throws Exception {
        world.has(schedule("suspend: true"));
        for (String wish : List.of("1", "2", "1")) {
            world.annotate(world.scheduleNamed("s"), Map.of(Labels.BACKUP_NOW, wish));
            run();
            names().forEach(name -> ends(name, "Completed"));
        }
        assertThat(names()).hasSize(3);
        for (String wish : List.of("2", "1")) {
            world.annotate(world.scheduleNamed("s"), Map.of(Labels.BACKUP_NOW, wish));
            run();
            names().forEach(name -> ends(name, "Completed"));
        }
        assertThat(world.told()).endsWith("BackupMade");
    }

    /** First it is written down that what is stored goes along, then the object goes. */
    @Test
    void whatHasHadItsTimeGoesWithWhatIsStored() throws Exception {
        world.has(schedule("retention: {keepLast: 1}"));
        made("s-1", "Completed", "2026-11-15T08:00:00Z");
        made("s-2", "Completed", "2026-11-15T09:00:00Z");
        run();
        assertThat(world.backup("s-1").getMetadata().getAnnotations()).containsEntry(Labels.EXPIRED, "true");
        run();
        assertThat(names()).containsExactly("s-1", "s-2");
        EtcdBackup held = world.backup("s-1");
        world.bind(held, List.of(Labels.STORED_BACKUP), List.of());
        run();
        assertThat(world.backup("s-1").getMetadata().getDeletionTimestamp()).isNotNull();
        assertThat(world.backup("s-2").getMetadata().getAnnotations()).isNullOrEmpty();
    }

    @Test
    void theNewestGoodOneStaysHoweverOldItIs() throws Exception {
        world.has(schedule("retention: {maxAge: 1m}"));
        made("s-1", "Completed", "2026-11-10T08:00:00Z");
        made("s-2", "Failed", "2026-11-15T09:59:50Z");
        run();
        assertThat(world.effects()).noneMatch(effect -> effect.startsWith("annotate"));
        assertThat(world.scheduleNamed("s").getStatus().kept()).isEqualTo(1);
    }

    /** A schedule whose template names another cluster has not backed up the first one since. */
    @Test
    void theNewestGoodOneOfEachSourceStays() throws Exception {
        world.has(schedule("retention: {maxAge: 1m}"));
        made("s-1", "Completed", "2026-11-10T07:00:00Z");
        made("s-2", "Completed", "2026-11-10T08:00:00Z");
        EtcdBackup another = backup("s-3", "Completed", "2026-11-15T09:00:00Z");
        another.setSpec(Serialization.unmarshal(
                "---\n{source: {endpoints: ['https://b:2379']}, destination: {volume: {claimName: backups}}}",
                EtcdBackupSpec.class));
        world.has(another);
        run();
        assertThat(world.effects().stream().filter(effect -> effect.startsWith("annotate")))
                .containsExactly("annotate EtcdBackup s-1");
    }

    @Test
    void oneThatIsTheNewestAgainIsKeptAfterAll() throws Exception {
        world.has(schedule("retention: {keepLast: 1}"));
        made("s-1", "Completed", "2026-11-15T08:00:00Z");
        made("s-2", "Completed", "2026-11-15T09:00:00Z");
        run();
        world.delete(world.backup("s-2"));
        run();
        assertThat(Backups.isExpired(world.backup("s-1"))).isFalse();
        run();
        assertThat(names()).containsExactly("s-1");
        assertThat(world.told()).containsExactly("BackupSpared");
    }

    @Test
    void failedOnesAreKeptToBeReadButNotAll() throws Exception {
        world.has(schedule(""));
        for (int i = 1; i <= 5; i++) {
            made("s-" + i, "Failed", "2026-11-15T09:0%d:00Z".formatted(i));
        }
        run();
        run();
        assertThat(names()).containsExactly("s-3", "s-4", "s-5");
    }

    @Test
    void aTimeZoneThatNobodyKnowsIsSaid() throws Exception {
        world.has(schedule("timeZone: Europe/Atlantis"));
        run();
        run();
        assertThat(world.told()).containsExactly("InvalidSpec");
        assertThat(world.scheduleNamed("s").getStatus().conditions())
                .singleElement()
                .satisfies(condition -> assertThat(condition.getMessage()).contains("Europe/Atlantis"));
    }

    @Test
    void anotherScheduleMakesUpForNothing() throws Exception {
        started();
        ends("s-202611151100", "Completed");
        EtcdBackupSchedule changed = schedule("");
        changed.setSpec(Serialization.unmarshal(
                        Serialization.asYaml(changed).replace("0 * * * *", "30 * * * *"), EtcdBackupSchedule.class)
                .getSpec());
        changed.setStatus(world.scheduleNamed("s").getStatus());
        world.has(changed);
        world.set("2026-11-15T11:45:00Z");
        run();
        assertThat(names()).containsExactly("s-202611151100");
        world.set("2026-11-15T12:30:00Z");
        run();
        assertThat(names()).containsExactly("s-202611151100", "s-202611151230");
    }

    private void started() throws Exception {
        world.has(schedule(""));
        run();
        world.set("2026-11-15T11:00:00Z");
        run();
    }

    private void made(String name, String phase, String completed) {
        world.has(backup(name, phase, completed));
    }

    private void ends(String name, String phase) {
        EtcdBackup backup = world.backup(name);
        backup.setStatus(backup(name, phase, world.clock().instant().toString()).getStatus());
        world.changes(backup);
    }

    private List<String> names() {
        return world.backups().stream()
                .map(backup -> backup.getMetadata().getName())
                .toList();
    }

    private Duration run() throws StaleViewException {
        return new SchedulePass(world, world, "operator:1", world.clock())
                .run(KEY)
                .orElseThrow();
    }

    private void runThroughDeath() throws StaleViewException {
        for (int i = 0; i < 3; i++) {
            try {
                run();
            } catch (BackupWorld.Death e) {
                i = 0;
            }
        }
    }

    private static EtcdBackup backup(String name, String phase, String completed) {
        return Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackup
                metadata: {name: %s, labels: {etcd.improbable.io/schedule: s}}
                spec: {source: {cluster: c}, destination: {volume: {claimName: backups}}}
                status: {phase: %s, path: p, completionTime: "%s"}
                """.formatted(name, phase, completed), EtcdBackup.class);
    }

    private static EtcdBackupSchedule schedule(String more) {
        return Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackupSchedule
                metadata: {name: s}
                spec:
                  schedule: "0 * * * *"
                  backupTemplate:
                    source: {cluster: c}
                    destination: {volume: {claimName: backups}}
                """ + more.indent(2), EtcdBackupSchedule.class);
    }
}
