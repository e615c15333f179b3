package etcdoperator.cluster.observe;

import com.fasterxml.jackson.databind.node.ObjectNode;
import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.TlsSetup;
import etcdoperator.api.TlsSpec;
import etcdoperator.cluster.execute.CertificateOffice;
import etcdoperator.cluster.scenario.ScenarioTls;
import etcdoperator.cluster.tls.AuthorityRules;
import etcdoperator.cluster.tls.Dating;
import etcdoperator.cluster.view.Chores;
import etcdoperator.cluster.view.Issuance;
import etcdoperator.cluster.view.Membership;
import etcdoperator.cluster.view.Membership.Reachable;
import etcdoperator.cluster.view.Membership.Unreachable;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.cluster.view.TlsView;
import etcdoperator.domain.AuthorityPolicy;
import etcdoperator.domain.Clocks;
import etcdoperator.domain.ClusterId;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.AuthorityMarks;
import etcdoperator.manifest.Peers;
import etcdoperator.manifest.TlsSecrets;
import etcdoperator.tls.CertificateView;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A cluster with TLS, whose Secrets the real office makes, and what is read of it. */
public final class Certified {
    public static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    public static final String BOTH = "{client: {managed: {}}, peer: {managed: {}}}";
    static final List<String> LEAVES = List.of("c-client-tls", "c-operator-tls", "c-server-tls", "c-peer-tls");

    static String text(Secret secret, String key) {
        return TlsSecrets.text(secret, key).orElseThrow();
    }

    static CertificateView certificate(Secret secret) {
        return CertificateView.of(text(secret, TlsSecrets.CERTIFICATE));
    }

    private final Map<String, Secret> secrets = new TreeMap<>();
    private final List<HasMetadata> support = new ArrayList<>();
    private final List<EtcdPeer> slots = new ArrayList<>();
    private Set<String> nodes = Set.of();
    private List<PeerView> peers = List.of();
    private List<PodView> pods = List.of();
    private Chores chores = Chores.none(NOW);
    private EtcdCluster cluster;
    private Instant now = NOW;
    private Duration serverAhead = Duration.ZERO;
    private AuthorityPolicy policy = AuthorityPolicy.USUAL;
    private List<EtcdCluster> others = List.of();

    public Certified(String tls) {
        this.cluster = cluster(tls);
    }

    /** One for which all that is due was made. */
    public static Certified ready(String tls) {
        return new Certified(tls).issueAll();
    }

    /** The same, to be spoiled without harm to this one. */
    Certified copy() {
        var copy = new Certified("");
        copy.cluster = Serialization.clone(cluster);
        secrets.values().forEach(secret -> copy.with(Serialization.clone(secret)));
        copy.support.addAll(support);
        copy.nodes = nodes;
        copy.peers = peers;
        copy.pods = pods;
        copy.chores = chores;
        copy.now = now;
        return copy;
    }

    public static EtcdCluster cluster(String tls) {
        return Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdCluster
                metadata: {name: c, namespace: ns, uid: u1}
                spec:
                  replicas: 3
                  version: 3.6.16
                  storage: {volumeClaimTemplate: {resources: {requests: {storage: 1Gi}}}}
                  tls: %s
                """.formatted(tls), EtcdCluster.class);
    }

    public EtcdCluster cluster() {
        return cluster;
    }

    Certified asks(String tls) {
        TlsSpec wanted = cluster(tls).getSpec().tls();
        cluster.setSpec(cluster.getSpec().withTls(wanted));
        return this;
    }

    Certified wishes(String rotation) {
        cluster.getMetadata().setAnnotations(Map.of(TlsSecrets.ROTATE, rotation));
        return this;
    }

    Certified later(Duration time) {
        now = now.plus(time);
        return this;
    }

    Instant now() {
        return now;
    }

    /** The API server's clock differs by so much. */
    Certified withServer(Duration ahead) {
        serverAhead = ahead;
        return this;
    }

    /** Other clusters, of which the real cache finds those that have something in common. */
    Certified beside(EtcdCluster... clusters) {
        others = List.of(clusters);
        return this;
    }

    Certified under(AuthorityPolicy allowed) {
        policy = allowed;
        return this;
    }

    private AuthorityRules rules() {
        return new AuthorityRules(
                marks -> others.stream()
                        .filter(other -> AuthorityMarks.of(other).stream().anyMatch(marks::contains))
                        .toList(),
                policy);
    }

    Certified with(HasMetadata service) {
        support.add(service);
        return this;
    }

    Certified withSlot(EtcdPeer peer) {
        slots.add(peer);
        return this;
    }

    Certified with(Secret secret) {
        secrets.put(secret.getMetadata().getName(), secret);
        return this;
    }

    Certified without(String secret) {
        secrets.remove(secret);
        return this;
    }

    Certified withNodes(String... addresses) {
        nodes = Set.of(addresses);
        return this;
    }

    public Certified withNodePort() {
        ObjectNode spec = Serialization.jsonMapper().valueToTree(cluster.getSpec());
        spec.withObject("/services/nodePort").put("enabled", true);
        cluster.setSpec(Serialization.jsonMapper().convertValue(spec, EtcdClusterSpec.class));
        return this;
    }

    Certified withChores(Chores done) {
        chores = done;
        return this;
    }

    public Secret secret(String name) {
        return Optional.ofNullable(secrets.get(name)).orElseThrow();
    }

    public Certified damage(String name, String key, String base64) {
        Secret secret = secret(name);
        Map<String, String> data = new HashMap<>(secret.getData());
        data.put(key, base64);
        secret.setData(data);
        return this;
    }

    /** Three peers and their pods, all made with this. */
    Certified runs(TlsSetup tls) {
        return runs(tls, tls, tls);
    }

    Certified runs(TlsSetup first, TlsSetup second, TlsSetup third) {
        peers = List.of(peer("c-0", first), peer("c-1", second), peer("c-2", third));
        pods = peers.stream()
                .map(peer -> CertifiedMembers.pod(peer, peer.setup().tls()))
                .toList();
        return this;
    }

    private PeerView peer(String name, TlsSetup tls) {
        return CertifiedMembers.peer(name, tls, new Peers(cluster, tls).settings());
    }

    /** As status has it once the cluster runs. */
    Certified begun() {
        slots.addAll(peers.stream().map(peer -> slot(peer, cluster)).toList());
        cluster.setStatus(begun(cluster, view().trusted()));
        return this;
    }

    private static EtcdPeer slot(PeerView peer, EtcdCluster cluster) {
        return new Peers(cluster, peer.setup().tls())
                .existing(peer.name(), peer.claimName(), EtcdVersion.parse("3.6.16"));
    }

    /** @param trusted the keys of authorities */
    static EtcdClusterStatus begun(EtcdCluster cluster, List<String> trusted) {
        return new EtcdClusterStatus(
                1L, 3, 3, null, null, null, "c1", null, null, trusted, null, null, null);
    }

    /** All pods are on their way out. */
    Certified leaves() {
        pods = pods.stream().map(CertifiedMembers::leaving).toList();
        return this;
    }

    Certified runsAsAsked() {
        return runs(view().target());
    }

    ClusterObjects objects() {
        return new ClusterObjects(
                cluster,
                List.copyOf(slots),
                List.of(),
                List.of(),
                List.of(),
                List.copyOf(support),
                List.copyOf(secrets.values()),
                List.of(),
                List.of(),
                List.of(),
                Set.of(),
                nodes,
                Map.of());
    }

    TlsView view() {
        Membership membership = peers.isEmpty()
                ? new Unreachable("there is nobody")
                : new Reachable(new ClusterId(1), List.of(), true, Optional.empty(), List.of());
        return Dating.checked(
                new TlsReader(objects(), "cluster.local", rules().of(objects()), peers, pods, membership, chores, now)
                        .read(),
                new Clocks(now, Optional.of(now.plus(serverAhead))));
    }

    /** One Issue step. */
    Certified issue() {
        for (Issuance issuance : view().due()) {
            if (issuance instanceof Issuance.Made made) {
                with(new CertificateOffice(objects(), now).issue(made));
            }
        }
        return this;
    }

    Certified issueAll() {
        while (!view().due().isEmpty()) {
            issue();
        }
        return this;
    }

    List<String> due() {
        return view().due().stream().map(ScenarioTls::described).toList();
    }
}
