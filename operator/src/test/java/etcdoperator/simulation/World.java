package etcdoperator.simulation;

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
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Service;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Everything outside of the operator. */
final class World {
    static final ClusterKey KEY = new ClusterKey("ns", "c");

    private static final StorageSpec STORAGE = new StorageSpec(new PersistentVolumeClaimSpecBuilder()
            .withNewResources()
            .withRequests(Map.of("storage", new Quantity("1Gi")))
            .endResources()
            .build());

    static final Optional<TlsSpec> ENCRYPTED = Optional.of(new TlsSpec(
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
    private final Rules rules;
    private final FakeNodes nodes;
    private final String memberTimeout;
    private final boolean secured;
    private final boolean disastrous;
    private final RecoverySpec recovery;
    private final FakeBackups backups;
    private final FakeAgentWork agentWork = new FakeAgentWork(this);
    private final FakeAgents agents;
    private Optional<TlsSpec> tls;
    private OperatorPath operatorPath = OperatorPath.OPEN;

    World(Dice dice, Set<Invariant> watched) {
        this.backups = new FakeBackups(this, dice);
        this.etcd = new FakeEtcd(network::reach, dice);
        this.rules = new Rules(this, watched);
        this.nodes = new FakeNodes(server, etcd, rules, dice, clock, dice.oneIn(2));
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

    ManualClock clock() {
        return clock;
    }

    Trace trace() {
        return trace;
    }

    FakeApiServer server() {
        return server;
    }

    FakeControllers controllers() {
        return controllers;
    }

    FakeEtcd etcd() {
        return etcd;
    }

    FakeBackups backups() {
        return backups;
    }

    FakeAgents agents() {
        return agents;
    }

    FakeAgentWork agentWork() {
        return agentWork;
    }

    /** Whether whole majorities are lost in this history. */
    boolean isDisastrous() {
        return disastrous;
    }

    boolean recoversByItself() {
        return recovery.recoversByItself();
    }

    Duration grace() {
        return recovery.quorumLossGraceOrDefault();
    }

    FakeNodes nodes() {
        return nodes;
    }

    Rules rules() {
        return rules;
    }

    /** Whether a member on a dead node is replaced within the time that a calm end has. */
    boolean replacesSoon() {
        return memberTimeout.equals("10s");
    }

    /** Which members the operator reaches; nothing else depends on it. */
    OperatorPath operatorPath() {
        return operatorPath;
    }

    void setOperatorPath(OperatorPath path) {
        trace.note("trouble: " + path);
        operatorPath = path;
    }

    FakeNetwork network() {
        return network;
    }

    /** Whether TLS plays a part in this history. */
    boolean isSecured() {
        return secured;
    }

    Optional<EtcdCluster> cluster() {
        return server.get(EtcdCluster.class, KEY.name());
    }

    /** What the next cluster of the name is made with; users keep their manifests. */
    void setTls(Optional<TlsSpec> asked) {
        tls = asked;
    }

    void createCluster(int replicas) {
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
    List<PersistentVolumeClaim> claims() {
        return server.list(PersistentVolumeClaim.class).stream()
                .filter(claim ->
                        KEY.name().equals(claim.getMetadata().getLabels().get(Labels.CLUSTER)))
                .toList();
    }

    /** Those who lead and can be reached. What runs on a disk that was not wiped is another cluster. */
    Stream<EtcdProcess> leaders() {
        return etcd.running().stream()
                .filter(process -> !process.volume().isUsedBefore())
                .flatMap(process -> etcd.leader(process.data().clusterId()).stream())
                .filter(leader -> nodes.isUp(leader.node()));
    }

    /** Members find each other by name, so without the headless service they do not. */
    private boolean isWired(EtcdProcess one, EtcdProcess other) {
        return server.get(Service.class, KEY.name()).isPresent()
                && (one.node().equals(other.node()) || nodes.areOnOneSide(one.node(), other.node()));
    }
}
