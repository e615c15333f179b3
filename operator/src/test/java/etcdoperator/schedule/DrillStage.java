package etcdoperator.schedule;

import etcdoperator.api.backup.DrillStatus;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.backup.BackupWorld;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.Kube.StaleViewException;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A schedule with a drill at noon, and what a test wants to know of it. */
abstract class DrillStage {
    static final ObjectKey KEY = new ObjectKey(BackupWorld.NAMESPACE, "s");
    static final String DAILY = "drill: {schedule: \"0 12 * * *\"}";
    static final String NOON = "s-drill-202611151200";
    static final String PASSED = """
            {"state":"Completed","message":"it holds revision 7, and all else","revision":7,
             "contents":{"hashKV":3000000000,"compactRevision":1,"keys":5}}""";

    private final ScheduleStage stage = new ScheduleStage();
    final BackupWorld world = stage.world;

    void atNoon(String... backups) throws StaleViewException {
        world.has(schedule(DAILY));
        for (int i = 0; i < backups.length; i++) {
            made(backups[i], "2026-11-15T0%d:00:00Z".formatted(i + 1));
        }
        run();
        world.set("2026-11-15T12:00:30Z");
        run();
    }

    void made(String name, String completed) {
        world.has(backup(name, completed, "3.6.16"));
    }

    DrillStatus drill() {
        return world.scheduleNamed("s").getStatus().drill();
    }

    Map<String, Condition> conditions() {
        return world.scheduleNamed("s").getStatus().conditions().stream()
                .collect(Collectors.toMap(Condition::getType, condition -> condition));
    }

    List<String> toldOfDrills() {
        return world.told().stream()
                .filter(reason -> reason.startsWith("Drill"))
                .toList();
    }

    List<String> jobs() {
        return world.schedule(KEY).orElseThrow().drills().stream()
                .map((Job job) -> job.getMetadata().getName())
                .toList();
    }

    Duration run() throws StaleViewException {
        return stage.run();
    }

    void runThroughDeath() throws StaleViewException {
        stage.runThroughDeath();
    }

    static EtcdBackup backup(String name, String completed, String version) {
        return Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackup
                metadata: {name: %s, labels: {etcd.improbable.io/schedule: s}}
                spec: {source: {cluster: c}, destination: {volume: {claimName: backups}}}
                status: {phase: Completed, path: p, revision: 7, etcdVersion: "%s", completionTime: "%s"}
                """.formatted(name, version, completed), EtcdBackup.class);
    }

    /** Backups are taken once a day, and not while drills are looked at. */
    static EtcdBackupSchedule schedule(String more) {
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
