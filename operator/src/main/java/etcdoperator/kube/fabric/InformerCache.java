package etcdoperator.kube.fabric;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.TlsSpec;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.certmanager.Certificate;
import etcdoperator.domain.ClusterKey;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.KubeCache;
import etcdoperator.kube.RestoreCache;
import etcdoperator.kube.RestoreCache.Namesakes;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.SecretNames;
import etcdoperator.manifest.TlsSecrets;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The caches, one informer per kind and namespace, and who is woken by what they bring. */
public final class InformerCache implements KubeCache, RestoreCache.NamesakeCache, AutoCloseable {
    private final RecentWrites recent;
    private final Neighbours neighbours;
    private final Watched<EtcdCluster> clusters;
    private final Watched<EtcdPeer> peers;
    private final Watched<PersistentVolumeClaim> claims;
    private final Watched<ReplicaSet> replicaSets;
    private final Watched<Pod> pods;
    private final Watched<Service> services;
    private final Watched<PodDisruptionBudget> budgets;
    private final Watched<Secret> secrets;
    private final NamedSecrets<ClusterKey> namedSecrets;
    private final CertManagerWatch certManager;
    private final Watched<NetworkPolicy> policies;
    private final VolumeWarnings volumeWarnings;
    private final NodeWatch nodes;
    private final Consumer<ClusterKey> wakeCluster;
    private final Consumer<PeerKey> wakePeer;

    /** What other caches have of a cluster. */
    interface Neighbours {
        List<EtcdBackup> backupsOf(ClusterKey cluster);

        List<EtcdRestore> recoveriesOf(ClusterKey cluster);
    }

    /** @param namespaces where to look; empty for everywhere */
    InformerCache(
            KubernetesClient client,
            Set<String> namespaces,
            RecentWrites recent,
            Neighbours neighbours,
            Consumer<ClusterKey> wakeCluster,
            Consumer<PeerKey> wakePeer) {
        this.recent = recent;
        this.neighbours = neighbours;
        this.wakeCluster = wakeCluster;
        this.wakePeer = wakePeer;
        this.clusters =
                new Watched<>(client, EtcdCluster.class, namespaces, Watched.EVERYTHING, this::clusterChanged, recent);
        this.peers = labelled(client, EtcdPeer.class, namespaces, this::peerChanged);
        this.claims = labelled(client, PersistentVolumeClaim.class, namespaces, this::memberObjectChanged);
        this.replicaSets = labelled(client, ReplicaSet.class, namespaces, this::peerChanged);
        this.pods = labelled(client, Pod.class, namespaces, this::podChanged);
        this.services = labelled(client, Service.class, namespaces, this::memberObjectChanged);
        this.budgets = labelled(client, PodDisruptionBudget.class, namespaces, this::memberObjectChanged);
        this.secrets = labelled(client, Secret.class, namespaces, this::memberObjectChanged);
        this.namedSecrets = new NamedSecrets<>(client, ClusterKey::namespace, wakeCluster);
        this.certManager = new CertManagerWatch(client, namespaces, this::memberObjectChanged);
        this.policies = labelled(client, NetworkPolicy.class, namespaces, this::memberObjectChanged);
        this.volumeWarnings = new VolumeWarnings(client, namespaces, this::claimWarned, this::podWarned);
        this.nodes = new NodeWatch(client, this::nodeCameOrWent, this::nodesRenamed);
    }

    /** Returns once every cache is filled. */
    public void start() {
        all().forEach(Watched::start);
        all().forEach(Watched::awaitFilled);
        certManager.look();
    }

    /** Also those of which only claims are left. */
    public List<ClusterKey> everyCluster() {
        Stream<ClusterKey> left = claims.all().flatMap(claim -> Watched.clusterOf(claim).stream());
        return Stream.concat(clusters.all().map(Labels::keyOf), left).distinct().toList();
    }

    /** The object alone, as its watch last brought it. */
    public Optional<EtcdCluster> clusterAlone(ClusterKey key) {
        return clusters.get(key.namespace(), key.name());
    }

    public List<PeerKey> everyPeer() {
        return peers.all().map(InformerCache::keyOf).toList();
    }

    public boolean isWatching() {
        return namedSecrets.isWatching()
                && Stream.concat(all(), certManager.all()).allMatch(Watched::isRunning);
    }

    @Override
    public void close() {
        all().forEach(Watched::close);
        namedSecrets.close();
        certManager.close();
    }

    @Override
    public Optional<ClusterObjects> cluster(ClusterKey key) {
        recent.expire();
        List<EtcdCluster> found =
                clusters.get(key.namespace(), key.name()).map(List::of).orElse(List.of());
        Optional<EtcdCluster> cluster =
                recent.over(found, EtcdCluster.class, other -> false).stream().findFirst();
        if (cluster.isEmpty()) {
            namedSecrets.release(key);
        }
        return cluster.map(there -> objectsOf(key, there));
    }

    @Override
    public List<PersistentVolumeClaim> claimsOf(ClusterKey key) {
        return of(key, claims, PersistentVolumeClaim.class);
    }

    @Override
    public Namesakes namesakes(ClusterKey key) {
        List<PersistentVolumeClaim> ownClaims = claimsOf(key);
        return new Namesakes(
                one(clusters, EtcdCluster.class, new PeerKey(key.namespace(), key.name())),
                of(key, peers, EtcdPeer.class),
                of(key, pods, Pod.class),
                ownClaims,
                nodes.lostVolumes(ownClaims).keySet());
    }

    private ClusterObjects objectsOf(ClusterKey key, EtcdCluster cluster) {
        List<PersistentVolumeClaim> ownClaims = claimsOf(key);
        List<HasMetadata> support = Stream.of(
                        of(key, services, Service.class),
                        of(key, budgets, PodDisruptionBudget.class),
                        of(key, policies, NetworkPolicy.class),
                        certificatesOf(key, cluster))
                .<HasMetadata>flatMap(List::stream)
                .toList();
        return new ClusterObjects(
                cluster,
                of(key, peers, EtcdPeer.class),
                ownClaims,
                of(key, replicaSets, ReplicaSet.class),
                of(key, pods, Pod.class),
                support,
                secretsOf(key, cluster),
                neighbours.backupsOf(key),
                neighbours.recoveriesOf(key),
                ownClaims.isEmpty() ? List.of() : volumeWarnings.in(key.namespace()),
                nodes.up(),
                isReachedByNodes(cluster) ? nodes.addresses() : Set.of(),
                nodes.lostVolumes(ownClaims));
    }

    private List<Certificate> certificatesOf(ClusterKey key, EtcdCluster cluster) {
        if (Optional.ofNullable(cluster.getSpec().tls())
                .filter(TlsSpec::asksCertManager)
                .isPresent()) {
            certManager.look();
        }
        return recent.over(
                certManager.of(key),
                Certificate.class,
                object -> Watched.clusterOf(object).equals(Optional.of(key)));
    }

    private List<Secret> secretsOf(ClusterKey key, EtcdCluster cluster) {
        List<Secret> made = of(key, secrets, Secret.class);
        Set<String> wanted = new HashSet<>(SecretNames.of(cluster.getSpec(), of(key, peers, EtcdPeer.class)));
        // These carry our label, whoever fills them.
        wanted.removeAll(TlsSecrets.mounted(key));
        // Also where nothing is named: only so is let go of what was.
        List<Secret> named = namedSecrets.of(key, wanted);
        return Stream.concat(made.stream(), named.stream()).toList();
    }

    @Override
    public Optional<PeerObjects> peer(PeerKey key) {
        return one(peers, EtcdPeer.class, key)
                .map(peer -> new PeerObjects(peer, one(replicaSets, ReplicaSet.class, key), podsOf(peer)));
    }

    private List<Pod> podsOf(EtcdPeer peer) {
        var cluster =
                new ClusterKey(peer.getMetadata().getNamespace(), peer.getSpec().clusterName());
        return pods.of(cluster).stream()
                .filter(pod -> peer.getMetadata()
                        .getName()
                        .equals(pod.getMetadata().getLabels().get(Labels.PEER)))
                .toList();
    }

    private <T extends HasMetadata> Optional<T> one(Watched<T> watched, Class<T> type, PeerKey key) {
        List<T> found = watched.get(key.namespace(), key.name()).map(List::of).orElse(List.of());
        return recent
                .over(
                        found,
                        type,
                        object -> object.getMetadata().getNamespace().equals(key.namespace())
                                && object.getMetadata().getName().equals(key.name()))
                .stream()
                .findFirst();
    }

    private <T extends HasMetadata> List<T> of(ClusterKey key, Watched<T> watched, Class<T> type) {
        return recent
                .over(watched.of(key), type, object -> Watched.clusterOf(object).equals(Optional.of(key)))
                .stream()
                // One that has just lost the cluster's name is still found under it.
                .filter(object -> Watched.clusterOf(object).equals(Optional.of(key)))
                .toList();
    }

    private <T extends HasMetadata> Watched<T> labelled(
            KubernetesClient client, Class<T> type, Set<String> namespaces, Consumer<T> changed) {
        return new Watched<>(client, type, namespaces, Watched.label(Labels.CLUSTER), changed, recent);
    }

    private void clusterChanged(EtcdCluster cluster) {
        wakeCluster.accept(Labels.keyOf(cluster));
    }

    private void memberObjectChanged(HasMetadata object) {
        Watched.clusterOf(object).ifPresent(wakeCluster);
    }

    private void podChanged(Pod pod) {
        Optional.ofNullable(pod.getMetadata().getLabels().get(Labels.PEER))
                .ifPresent(peer -> wakePeer.accept(new PeerKey(pod.getMetadata().getNamespace(), peer)));
        memberObjectChanged(pod);
    }

    private void peerChanged(HasMetadata object) {
        wakePeer.accept(keyOf(object));
        memberObjectChanged(object);
    }

    private static PeerKey keyOf(HasMetadata object) {
        return new PeerKey(
                object.getMetadata().getNamespace(), object.getMetadata().getName());
    }

    private void claimWarned(Event event) {
        claims.get(
                        event.getInvolvedObject().getNamespace(),
                        event.getInvolvedObject().getName())
                .ifPresent(this::memberObjectChanged);
    }

    private void podWarned(Event event) {
        pods.get(
                        event.getInvolvedObject().getNamespace(),
                        event.getInvolvedObject().getName())
                .ifPresent(this::memberObjectChanged);
    }

    /** Only certificates of such clusters name nodes, so nobody else has to hear of those. */
    private static boolean isReachedByNodes(EtcdCluster cluster) {
        return cluster.getSpec().servicesOrDefault().nodePortIfEnabled().isPresent();
    }

    private void nodeCameOrWent(String name) {
        pods.all().filter(pod -> name.equals(pod.getSpec().getNodeName())).forEach(this::memberObjectChanged);
    }

    private void nodesRenamed() {
        clusters.all().filter(InformerCache::isReachedByNodes).forEach(this::clusterChanged);
    }

    private Stream<Watched<?>> all() {
        return Stream.of(
                        Stream.of(clusters, peers, claims, replicaSets, pods, services, budgets, policies, secrets),
                        volumeWarnings.all(),
                        nodes.all())
                .flatMap(watched -> watched);
    }
}
