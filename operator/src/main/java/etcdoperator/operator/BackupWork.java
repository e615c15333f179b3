package etcdoperator.operator;

import etcdoperator.api.backup.ClusterBackupSpec;
import etcdoperator.backup.BackupPass;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.fabric.KubeConnection;
import etcdoperator.manifest.AgentSetup;
import etcdoperator.reconcile.QueueMeter;
import etcdoperator.reconcile.WorkQueue;
import etcdoperator.restore.RestorePass;
import etcdoperator.schedule.SchedulePass;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The queues of backups, their schedules and restores: slow ones hold up no cluster. */
final class BackupWork implements AutoCloseable {
    private static final int BACKUPS_AT_ONCE = 8;
    private static final int SCHEDULES_AT_ONCE = 4;
    private static final int RESTORES_AT_ONCE = 4;

    private final KubeConnection kube;
    private final QueueMeter backupMeter = new QueueMeter();
    private final QueueMeter scheduleMeter = new QueueMeter();
    private final QueueMeter restoreMeter = new QueueMeter();
    private final Map<ClusterKey, String> fates = new ConcurrentHashMap<>();
    private final AgentWatch agents;
    private final WorkQueue<ObjectKey> backups;
    private final WorkQueue<ObjectKey> schedules;
    private final WorkQueue<ObjectKey> restores;

    /** @param tlsByDefault whether new clusters get TLS unasked */
    BackupWork(KubeConnection kube, AgentSetup setup, boolean tlsByDefault) {
        this.kube = kube;
        this.agents = new AgentWatch(this::wakeBackup);
        var backupPass = new BackupPass(kube.backups(), kube.effects(), agents, setup, Clock.systemUTC());
        var schedulePass = new SchedulePass(kube.backups(), kube.effects(), setup, Clock.systemUTC());
        this.backups = new WorkQueue<>("backup", BACKUPS_AT_ONCE, backupPass::run, backupMeter);
        this.schedules = new WorkQueue<>("schedule", SCHEDULES_AT_ONCE, schedulePass::run, scheduleMeter);
        var restorePass = new RestorePass(kube.restores(), kube.effects(), setup, tlsByDefault, Clock.systemUTC());
        this.restores = new WorkQueue<>("restore", RESTORES_AT_ONCE, restorePass::run, restoreMeter);
    }

    void wakeAll() {
        kube.backups().everyBackup().forEach(backups::wake);
        kube.backups().everySchedule().forEach(schedules::wake);
        kube.restores().everyRestore().forEach(restores::wake);
    }

    /** Clusters change all the time; only one that wants another fate for its backups, or comes or goes, is news here. */
    void clusterChanged(ClusterKey cluster) {
        String now = kube.cache()
                .clusterAlone(cluster)
                .map(there -> there.getMetadata().getUid() + " "
                        + Optional.ofNullable(there.getSpec().backup()).map(ClusterBackupSpec::onDelete))
                .orElse("");
        String before = now.isEmpty() ? fates.remove(cluster) : fates.put(cluster, now);
        if (!now.equals(Objects.requireNonNullElse(before, ""))) {
            kube.backups().backupsOf(cluster).forEach(backups::wake);
        }
    }

    void wakeBackup(ObjectKey backup) {
        backups.wake(backup);
    }

    void wakeSchedule(ObjectKey schedule) {
        schedules.wake(schedule);
    }

    void wakeRestore(ObjectKey restore) {
        restores.wake(restore);
    }

    DrillFigures drillFigures() {
        return new DrillFigures(kube.backups()::everyDrill);
    }

    QueueMeter restoreMeter() {
        return restoreMeter;
    }

    QueueMeter backupMeter() {
        return backupMeter;
    }

    QueueMeter scheduleMeter() {
        return scheduleMeter;
    }

    @Override
    public void close() {
        agents.close();
        backups.close();
        schedules.close();
        restores.close();
    }
}
