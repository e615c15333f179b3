package etcdoperator.simulation.world;

import etcdoperator.agentjob.Agents;
import etcdoperator.agentreport.AgentReport;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.backup.BackupPass;
import etcdoperator.cluster.ClusterPass;
import etcdoperator.cluster.execute.MembershipChanger;
import etcdoperator.domain.ObjectKey;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.kube.BackupCache;
import etcdoperator.kube.Kube;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.kube.KubeCache;
import etcdoperator.kube.KubeCache.PeerKey;
import etcdoperator.manifest.Addresses.IpFamily;
import etcdoperator.peer.PeerPass;
import etcdoperator.restore.RestorePass;
import etcdoperator.schedule.SchedulePass;
import etcdoperator.simulation.kube.FakeProbes;
import etcdoperator.simulation.kube.LaggingCaches;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The real passes of one operator, by the keys of its work queues. */
final class Passes {
    static final String CLUSTER = "cluster";
    static final String BACKUP = "backup/";
    static final String RESTORE = "restore/";
    static final String SCHEDULE = "schedule/";
    private static final String IMAGE = "operator";

    private final LaggingCaches caches;
    private final ClusterPass clusters;
    private final PeerPass peers;
    private final BackupPass backups;
    private final SchedulePass schedules;
    private final RestorePass restores;

    Passes(
            World world,
            Sabotage sabotage,
            LaggingCaches caches,
            Kube kube,
            FakeProbes probes,
            EtcdClient.Factory etcd,
            Consumer<String> wake) {
        this.caches = caches;
        KubeCache seen = sabotage.cache(caches.clusters());
        this.clusters = new ClusterPass(
                seen,
                kube,
                sabotage.probes(probes),
                new MembershipChanger(etcd),
                new FakeWorkshop(world, () -> wake.accept(CLUSTER)),
                "cluster.local",
                () -> Optional.of(world.clock().instant()),
                world.clock());
        this.peers = new PeerPass(seen, kube, IpFamily.IPV4);
        BackupCache stored = sabotage.backups(caches.backups());
        this.backups = new BackupPass(stored, kube, new SilentAgents(), IMAGE, world.clock());
        this.schedules = new SchedulePass(stored, kube, IMAGE, world.clock());
        this.restores = new RestorePass(sabotage.restores(caches.restores()), kube, IMAGE, false, world.clock());
    }

    /** @return when to look again */
    Optional<Duration> run(String key) throws StaleViewException {
        if (key.startsWith(BACKUP)) {
            return backups.run(named(key, BACKUP));
        }
        if (key.startsWith(RESTORE)) {
            return restores.run(named(key, RESTORE));
        }
        if (key.startsWith(SCHEDULE)) {
            return schedules.run(named(key, SCHEDULE));
        }
        return key.equals(CLUSTER) ? clusters.run(World.KEY) : peers.run(new PeerKey(World.KEY.namespace(), key));
    }

    private static ObjectKey named(String key, String kind) {
        return new ObjectKey(World.KEY.namespace(), key.substring(kind.length()));
    }

    /** Of all that the caches have. */
    List<String> keys() {
        return Stream.of(
                        Stream.of(CLUSTER),
                        names("", caches.clusters().all(EtcdPeer.class)),
                        names(RESTORE, caches.restores().watches().all(EtcdRestore.class)),
                        names(BACKUP, caches.backups().all(EtcdBackup.class)),
                        names(SCHEDULE, caches.backups().all(EtcdBackupSchedule.class)))
                .flatMap(keys -> keys)
                .toList();
    }

    private static Stream<String> names(String kind, List<? extends HasMetadata> objects) {
        return objects.stream().map(object -> kind + object.getMetadata().getName());
    }

    /** Progress is for people to read. */
    private static final class SilentAgents implements Agents {
        @Override
        public void follow(ObjectKey owner, String address) {}

        @Override
        public void leave(ObjectKey owner) {}

        @Override
        public Optional<AgentReport> heard(ObjectKey owner) {
            return Optional.empty();
        }
    }
}
