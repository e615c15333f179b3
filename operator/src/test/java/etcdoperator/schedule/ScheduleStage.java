package etcdoperator.schedule;

import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.backup.BackupWorld;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.manifest.AnyAgents;
import etcdoperator.simulation.kube.WrittenDown;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;

/** A schedule and what is stored of it, before an operator that is run by hand. */
final class ScheduleStage {
    private static final ObjectKey KEY = new ObjectKey(BackupWorld.NAMESPACE, "s");

    final BackupWorld world = new BackupWorld();

    Duration run() throws StaleViewException {
        return new SchedulePass(world, world.kube(), AnyAgents.of("operator:1"), world.clock())
                .run(KEY)
                .orElseThrow();
    }

    void runThroughDeath() throws StaleViewException {
        for (int i = 0; i < 4; i++) {
            try {
                run();
            } catch (WrittenDown.Death e) {
                i = 0;
            }
        }
    }

    void started() throws Exception {
        world.has(schedule(""));
        run();
        world.set("2026-11-15T11:00:00Z");
        run();
    }

    void made(String name, String phase, String completed) {
        world.has(backup(name, phase, completed));
    }

    void ends(String name, String phase) {
        EtcdBackup backup = world.backup(name);
        backup.setStatus(backup(name, phase, world.clock().instant().toString()).getStatus());
        world.changes(backup);
    }

    List<String> names() {
        return world.backups().stream()
                .map(backup -> backup.getMetadata().getName())
                .toList();
    }

    static EtcdBackup backup(String name, String phase, String completed) {
        return Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackup
                metadata: {name: %s, labels: {etcd.improbable.io/schedule: s}}
                spec: {source: {cluster: c}, destination: {volume: {claimName: backups}}}
                status: {phase: %s, path: p, completionTime: "%s"}
                """.formatted(name, phase, completed), EtcdBackup.class);
    }

    static EtcdBackupSchedule schedule(String more) {
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
