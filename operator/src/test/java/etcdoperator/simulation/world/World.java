package etcdoperator.simulation.world;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.RecoverySpec;
import etcdoperator.api.RecoverySpec.QuorumLossPolicy;
import etcdoperator.api.StorageSpec;
import etcdoperator.api.TlsSpec;
import etcdoperator.api.TlsSpec.ClientTls;
import etcdoperator.api.TlsSpec.ClientTlsMode;
import etcdoperator.api.TlsSpec.ManagedCertificates;
import etcdoperator.api.TlsSpec.PeerTls;
import etcdoperator.domain.ClusterKey;
import etcdoperator.kube.Kube;
import etcdoperator.kube.fabric.RecentWrites;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.etcd.EtcdProcess;
import etcdoperator.simulation.etcd.FakeEtcd;
import etcdoperator.simulation.etcd.FakeEtcdClient;
import etcdoperator.simulation.etcd.FakeNetwork;
import etcdoperator.simulation.kube.FakeAgents;
import etcdoperator.simulation.kube.FakeApiServer;
import etcdoperator.simulation.kube.FakeControllers;
import etcdoperator.simulation.kube.FakeKube;
import etcdoperator.simulation.kube.FakeNodes;
import etcdoperator.simulation.kube.Wire;
import etcdoperator.simulation.kube.Witness;
import etcdoperator.simulation.replay.Dice;
import etcdoperator.simulation.replay.ManualClock;
import etcdoperator.simulation.replay.Trace;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Service;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Everything outside of the operator. */
public final class World {
    public static final ClusterKey KEY = new ClusterKey("ns", "c");

    private static final StorageSpec STORAGE = new StorageSpec(new PersistentVolumeClaimSpecBuilder()
            .withNewResources()
            .withRequests(Map.of("storage", new Quantity("1Gi")))
            .endResources()
            .build());

    public static final Optional<TlsSpec> ENCRYPTED = Optional.of(new TlsSpec(
            new ClientTls(new ManagedCertificates(), null, null, ClientTlsMode.REQUIRED),
            new PeerTls(new ManagedCertificates(), null, null),
            null,
            null));

    private final ManualClock clock = new ManualClock();
    private final Trace trace = new Trace(clock);
    private final FakeApiServer server = new FakeApiServer(clock);
    private final FakeControllers controllers = new FakeControllers(server, clock);
    private final FakeNetwork network = new FakeNetwork(this::isWired);
    private final FakeEtcd etcd;
    private final FakeNodes nodes;
    private final String memberTimeout;
    private final boolean secured;
    private final boolean disastrous;
    private final RecoverySpec recovery;
    private final FakeBackups backups = new FakeBackups(this);
    private final FakeAgentWork agentWork = new FakeAgentWork(this);
    private final FakeAgents agents;
    private Optional<TlsSpec> tls;
    private Witness witness = Witness.NONE;

    public World(Dice dice) {
        this.etcd = new FakeEtcd(network::reach, dice);
        this.nodes = new FakeNodes(server, etcd, this::witness, dice, clock, dice.oneIn(2));
        this.memberTimeout = dice.oneIn(3) ? "5m" : "10s";
        this.secured = dice.oneIn(3);
        this.tls = secured && dice.oneIn(2) ? ENCRYPTED : Optional.empty();
        this.disastrous = secured ? dice.oneIn(4) : !dice.oneIn(3);
        this.recovery = new RecoverySpec(
                memberTimeout,
                disastrous && !dice.oneIn(3) ? QuorumLossPolicy.AUTOMATIC : null,
                dice.pick(List.of("10s", "10s", "30s", "1m")).orElseThrow());
        this.agents = new FakeAgents(server, nodes, agentWork, dice, clock);
    }

    public ManualClock clock() {
        return clock;
    }

    public Trace trace() {
        return trace;
    }

    public FakeApiServer server() {
        return server;
    }

    public FakeControllers controllers() {
        return controllers;
    }

    public FakeEtcd etcd() {
        return etcd;
    }

    public FakeBackups backups() {
        return backups;
    }

    public FakeAgents agents() {
        return agents;
    }

    public FakeAgentWork agentWork() {
        return agentWork;
    }

    /** Whether whole majorities are lost in this history. */
    public boolean isDisastrous() {
        return disastrous;
    }

    public boolean recoversByItself() {
        return recovery.recoversByItself();
    }

    public Duration grace() {
        return recovery.quorumLossGraceOrDefault();
    }

    public FakeNodes nodes() {
        return nodes;
    }

    Witness witness() {
        return witness;
    }

    /** From here on. */
    public void watchedBy(Witness now) {
        witness = now;
    }

    /** The hand of one operator on the API server. */
    Kube kube(RecentWrites recent, Wire wire) {
        return new FakeKube(server, controllers, nodes.disks(), recent, wire);
    }

    /** Whether a member on a dead node is replaced within the time that a calm end has. */
    public boolean replacesSoon() {
        return memberTimeout.equals("10s");
    }

    public FakeNetwork network() {
        return network;
    }

    /** Whether TLS plays a part in this history. */
    public boolean isSecured() {
        return secured;
    }

    public Optional<EtcdCluster> cluster() {
        return server.get(EtcdCluster.class, KEY.name());
    }

    /** What the next cluster of the name is made with; users keep their manifests. */
    public void setTls(Optional<TlsSpec> asked) {
        tls = asked;
    }

    public void createCluster(int replicas) {
        var cluster = new EtcdCluster();
        cluster.setMetadata(new ObjectMetaBuilder()
                .withNamespace(KEY.namespace())
                .withName(KEY.name())
                .build());
        cluster.setSpec(EtcdClusterSpec.of(replicas, FakeEtcdClient.VERSION, STORAGE)
                .withRecovery(recovery)
                .withTls(tls.orElse(null)));
        server.create(cluster);
    }

    /** Claims that carry the cluster's name, whoever made them. */
    public List<PersistentVolumeClaim> claims() {
        return server.list(PersistentVolumeClaim.class).stream()
                .filter(claim ->
                        KEY.name().equals(claim.getMetadata().getLabels().get(Labels.CLUSTER)))
                .toList();
    }

    /** Those who lead and can be reached. */
    public Stream<EtcdProcess> leaders() {
        return etcd.running().stream()
                .flatMap(process -> etcd.leader(process.data().clusterId()).stream())
                .filter(leader -> nodes.isUp(leader.node()));
    }

    /** Members find each other by name, so without the headless service they do not. */
    private boolean isWired(EtcdProcess one, EtcdProcess other) {
        return server.get(Service.class, KEY.name()).isPresent()
                && (one.node().equals(other.node()) || nodes.areOnOneSide(one.node(), other.node()));
    }
}
