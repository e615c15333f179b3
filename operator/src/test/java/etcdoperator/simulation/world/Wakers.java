package etcdoperator.simulation.world;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.kube.LaggingCaches;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import java.util.Optional;
import java.util.function.Consumer;

/** Which passes a change of an object starts, as the real operator has it. */
final class Wakers {
    private final LaggingCaches caches;
    private final Consumer<String> wake;
    private String fate = "";

    Wakers(LaggingCaches caches, Consumer<String> wake) {
        this.caches = caches;
        this.wake = wake;
    }

    void changed(HasMetadata object) {
        switch (object) {
            case EtcdRestore restore -> wakeThoseWhoRead();
            case EtcdBackup backup -> {
                wakeThoseWhoRead();
                wake.accept(Passes.BACKUP + backup.getMetadata().getName());
                wakeNamed(object, Labels.SCHEDULE, Passes.SCHEDULE);
            }
            case EtcdBackupSchedule schedule ->
                wake.accept(Passes.SCHEDULE + schedule.getMetadata().getName());
            default -> memberChanged(object);
        }
    }

    /** Whoever waits for one of these has read it under its own name. */
    private void wakeThoseWhoRead() {
        caches.restores()
                .watches()
                .all(EtcdRestore.class)
                .forEach(restore ->
                        wake.accept(Passes.RESTORE + restore.getMetadata().getName()));
        wake.accept(Passes.CLUSTER);
    }

    private void memberChanged(HasMetadata object) {
        wakeNamed(object, Labels.RESTORE, Passes.RESTORE);
        wakeNamed(object, Labels.BACKUP, Passes.BACKUP);
        wakeNamed(object, Labels.DRILL, Passes.SCHEDULE);
        if (object instanceof EtcdPeer || object instanceof ReplicaSet) {
            wake.accept(object.getMetadata().getName());
        }
        if (object instanceof EtcdCluster cluster) {
            clusterChanged(cluster);
        }
        if (object instanceof EtcdCluster
                || object instanceof Node
                || World.KEY.name().equals(object.getMetadata().getLabels().get(Labels.CLUSTER))) {
            wake.accept(Passes.CLUSTER);
        }
    }

    /** Backups hear only of one that comes, or wants another fate for them. */
    private void clusterChanged(EtcdCluster cluster) {
        String now = cluster.getMetadata().getUid()
                + Optional.ofNullable(cluster.getSpec().backup()).map(backup -> backup.onDelete());
        if (!now.equals(fate)) {
            fate = now;
            caches.backups()
                    .all(EtcdBackup.class)
                    .forEach(backup ->
                            wake.accept(Passes.BACKUP + backup.getMetadata().getName()));
        }
    }

    private void wakeNamed(HasMetadata object, String label, String kind) {
        Optional.ofNullable(object.getMetadata().getLabels().get(label)).ifPresent(name -> wake.accept(kind + name));
    }
}
