package etcdoperator.operator;

import etcdoperator.cluster.ClusterPass;
import etcdoperator.cluster.execute.BackgroundWorkshop;
import etcdoperator.cluster.execute.MembershipChanger;
import etcdoperator.cluster.execute.NewcomersTls;
import etcdoperator.cluster.execute.Prober;
import etcdoperator.cluster.view.Problem;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.ObjectKey;
import etcdoperator.etcd.RaftSnapshots;
import etcdoperator.etcd.grpc.GrpcEtcdClient;
import etcdoperator.etcd.grpc.HttpMemberMetrics;
import etcdoperator.etcd.grpc.HttpV2Keys;
import etcdoperator.etcd.grpc.MetricsSoundings;
import etcdoperator.etcd.grpc.TlsSight;
import etcdoperator.kube.KubeCache.PeerKey;
import etcdoperator.kube.ServerClock;
import etcdoperator.kube.Tally;
import etcdoperator.kube.fabric.KubeConnection;
import etcdoperator.manifest.Addresses;
import etcdoperator.manifest.Addresses.IpFamily;
import etcdoperator.manifest.AgentSetup;
import etcdoperator.peer.PeerPass;
import etcdoperator.reconcile.QueueMeter;
import etcdoperator.reconcile.WorkQueue;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** All parts of the running operator, wired. */
final class Operator implements AutoCloseable {
    private static final int CLUSTERS_AT_ONCE = 16;
    private static final int PEERS_AT_ONCE = 16;

    private final KubernetesClient client;
    private final QueueMeter clusterMeter = new QueueMeter();
    private final QueueMeter peerMeter = new QueueMeter();
    private final KubeConnection kube;
    private final Prober prober;
    private final BackgroundWorkshop workshop;
    private final WorkQueue<ClusterKey> clusters;
    private final WorkQueue<PeerKey> peers;
    private final BackupWork backups;
    private volatile CompletableFuture<Void> cachesFilled = new CompletableFuture<>();
    private volatile State state = State.ELECTING;

    /** What new clusters get whose manifests say nothing of TLS. */
    enum DefaultTls {
        NONE,
        MANAGED
    }

    /** A standby is well, too: it waits for its turn. */
    enum State {
        ELECTING,
        STANDBY,
        STARTING,
        RUNNING,
        STOPPED
    }

    Operator(
            KubernetesClient client,
            ServerClock serverClock,
            Set<String> namespaces,
            String identity,
            IpFamily family,
            DefaultTls defaultTls,
            AgentSetup agents) {
        this.client = client;
        this.kube = new KubeConnection(
                client,
                namespaces,
                identity,
                new KubeConnection.Wakers(
                        this::wake, this::wake, this::wakeBackup, this::wakeSchedule, this::wakeRestore));
        this.prober = new Prober(
                GrpcEtcdClient::new, new MetricsSoundings(Addresses.METRICS_PORT), Clock.systemUTC(), this::wake);
        this.workshop = new BackgroundWorkshop(
                GrpcEtcdClient::new,
                new RaftSnapshots(new HttpMemberMetrics()),
                new HttpV2Keys(),
                new TlsSight(),
                Clock.systemUTC(),
                this::wake);
        var clusterPass = new ClusterPass(
                kube.cache(),
                kube.effects(),
                prober,
                new MembershipChanger(GrpcEtcdClient::new),
                workshop,
                ClusterDomain.find(),
                serverClock,
                Clock.systemUTC());
        var peerPass = new PeerPass(kube.cache(), kube.effects(), family);
        this.clusters = new WorkQueue<>(
                "cluster",
                CLUSTERS_AT_ONCE,
                switch (defaultTls) {
                    case NONE -> clusterPass::run;
                    case MANAGED -> withTls(new NewcomersTls(kube.cache(), kube.effects()), clusterPass);
                },
                clusterMeter);
        this.peers = new WorkQueue<>("peer", PEERS_AT_ONCE, peerPass::run, peerMeter);
        this.backups = new BackupWork(kube, agents, defaultTls == DefaultTls.MANAGED);
    }

    private static WorkQueue.Pass<ClusterKey> withTls(NewcomersTls newcomers, ClusterPass pass) {
        return cluster -> switch (newcomers.writeInto(cluster)) {
            case NewcomersTls.Outcome.NothingToGive() -> pass.run(cluster);
            case NewcomersTls.Outcome.Given() -> Optional.empty();
            case NewcomersTls.Outcome.Refused(Problem problem) -> pass.hold(cluster, problem);
        };
    }

    /** Another operator acts; this one is ready to follow. */
    void standBy() {
        if (state == State.ELECTING) {
            state = State.STANDBY;
        }
    }

    /** Begun before the election is won, so that whoever wins it can act at once. */
    void fillCaches() {
        cachesFilled =
                CompletableFuture.runAsync(kube::fillCaches, Thread.ofVirtual().name("caches")::start);
    }

    /** Passes begin once every cache is filled: a half-filled one would look like lost claims. */
    void start() {
        state = State.STARTING;
        cachesFilled.join();
        state = State.RUNNING;
        kube.cache().everyCluster().forEach(this::wake);
        kube.cache().everyPeer().forEach(this::wake);
        backups.wakeAll();
    }

    @Override
    public void close() {
        if (state == State.STOPPED) {
            return;
        }
        state = State.STOPPED;
        clusters.close();
        peers.close();
        backups.close();
        workshop.close();
        prober.close();
        kube.close();
        client.close();
    }

    State state() {
        return state;
    }

    boolean isWatching() {
        return state != State.RUNNING || kube.isWatching();
    }

    QueueMeter clusterMeter() {
        return clusterMeter;
    }

    QueueMeter peerMeter() {
        return peerMeter;
    }

    BackupWork backupWork() {
        return backups;
    }

    Tally tally() {
        return kube.tally();
    }

    private void wake(ClusterKey cluster) {
        if (state == State.RUNNING) {
            backups.clusterChanged(cluster);
            clusters.wake(cluster);
        }
    }

    private void wake(PeerKey peer) {
        if (state == State.RUNNING) {
            peers.wake(peer);
        }
    }

    private void wakeBackup(ObjectKey backup) {
        if (state == State.RUNNING) {
            backups.wakeBackup(backup);
        }
    }

    private void wakeRestore(ObjectKey restore) {
        if (state == State.RUNNING) {
            backups.wakeRestore(restore);
        }
    }

    private void wakeSchedule(ObjectKey schedule) {
        if (state == State.RUNNING) {
            backups.wakeSchedule(schedule);
        }
    }
}
