package etcdoperator.cluster.observe;

import static java.util.stream.Collectors.toSet;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdPeerStatus;
import etcdoperator.api.PeerSettings;
import etcdoperator.api.TlsSetup;
import etcdoperator.cluster.services.Support;
import etcdoperator.cluster.tls.Dating;
import etcdoperator.cluster.view.Chores;
import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClaimView.Contents;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.ClusterView.KnownMember;
import etcdoperator.cluster.view.ClusterView.Memory;
import etcdoperator.cluster.view.Membership;
import etcdoperator.cluster.view.Operation;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.cluster.view.Start;
import etcdoperator.cluster.view.TlsView;
import etcdoperator.domain.Clocks;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Transport;
import etcdoperator.etcd.Answer;
import etcdoperator.etcd.Endpoint;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.Drift;
import etcdoperator.manifest.EtcdContainer;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.Peers;
import etcdoperator.manifest.Transports;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Freezes what the caches and the prober know into one view. Pure. */
public final class Observer {
    private final ClusterObjects objects;
    private final String domain;
    private final ClusterKey key;
    private final Set<String> livingReplicaSets;
    private final Clocks clocks;
    private final Instant now;

    /** @param domain what the names of services end in after {@code .svc} */
    public Observer(ClusterObjects objects, String domain, Clocks clocks) {
        this.objects = objects;
        this.domain = domain;
        this.clocks = clocks;
        this.now = clocks.local();
        this.key = Labels.keyOf(objects.cluster());
        Set<String> peerUids = objects.peers().stream()
                .map(peer -> peer.getMetadata().getUid())
                .collect(toSet());
        this.livingReplicaSets = objects.replicaSets().stream()
                .filter(set -> ownerUid(set).map(peerUids::contains).orElse(false))
                .map(set -> set.getMetadata().getUid())
                .collect(toSet());
    }

    /** Where the peers' pods are now: what was said at another address was said by another pod. */
    public Map<PeerName, Endpoint> endpoints() {
        return new Contacts(objects).of(peers(), pods());
    }

    public ClusterView view(Map<PeerName, Answer> answers, Chores chores) {
        EtcdCluster cluster = objects.cluster();
        List<ClaimView> claims = objects.claims().stream()
                .flatMap(claim -> peerName(claim).map(peer -> ClaimReader.read(claim, peer, objects, now)).stream())
                .sorted(Comparator.comparing(ClaimView::name))
                .toList();
        List<PeerView> peers = peers();
        List<PodView> pods = pods();
        Memory memory = memory(cluster);
        Membership membership = Standstill.explained(
                Testimony.weigh(key, knownClusterId(memory, claims), withUnasked(answers, peers, pods, now), now),
                objects);
        TlsView tls =
                Dating.checked(new TlsReader(objects, domain, peers, pods, membership, chores, now).read(), clocks);
        return new ClusterView(
                WishReader.read(cluster, tls),
                memory,
                claims,
                peers,
                pods,
                membership,
                nodesDown(),
                tls,
                new AuthReader(objects, answers, chores, now).read(),
                drift(memory, membership),
                Support.surplus(objects).map(Support::nameOf).toList(),
                BackupReader.read(cluster, objects.backups()),
                RecoveryReader.read(cluster, objects.recoveries()),
                chores,
                now);
    }

    private List<PeerView> peers() {
        return objects.peers().stream()
                .flatMap(peer -> peerName(peer).map(name -> peer(peer, name)).stream())
                .sorted(Comparator.comparing(PeerView::name))
                .toList();
    }

    private List<PodView> pods() {
        return objects.pods().stream()
                .flatMap(pod -> peerName(pod).map(peer -> pod(pod, peer)).stream())
                .sorted(Comparator.comparing(PodView::name))
                .toList();
    }

    /** Who could be asked and was not is not silent. */
    private static Map<PeerName, Answer> withUnasked(
            Map<PeerName, Answer> answers, List<PeerView> peers, List<PodView> pods, Instant now) {
        Map<PeerName, Answer> all = new HashMap<>(answers);
        peers.stream()
                .filter(peer -> pods.stream()
                        .anyMatch(pod -> pod.runs(peer) && pod.address().isPresent()))
                .forEach(peer -> all.putIfAbsent(peer.name(), new Answer.Unasked(now)));
        return all;
    }

    private static Memory memory(EtcdCluster cluster) {
        Optional<EtcdClusterStatus> status = Optional.ofNullable(cluster.getStatus());
        return new Memory(
                status.map(EtcdClusterStatus::clusterId).map(ClusterId::parse),
                status.map(EtcdClusterStatus::clusterVersion).map(EtcdVersion::parse),
                status.map(EtcdClusterStatus::operation).map(Operation::of),
                status.map(EtcdClusterStatus::members).orElse(List.of()).stream()
                        .map(KnownMember::of)
                        .toList());
    }

    private static Optional<ClusterId> knownClusterId(Memory memory, List<ClaimView> claims) {
        return memory.clusterId()
                .or(() -> claims.stream()
                        .flatMap(claim -> claim.contents() instanceof Contents.Held held
                                ? Optional.of(held.clusterId()).stream()
                                : Optional.<ClusterId>empty().stream())
                        .findFirst());
    }

    private PeerView peer(EtcdPeer peer, PeerName name) {
        Optional<EtcdPeerStatus> status = Optional.ofNullable(peer.getStatus());
        Optional<ReplicaSet> replicaSet = objects.replicaSets().stream()
                .filter(set ->
                        ownerUid(set).equals(Optional.of(peer.getMetadata().getUid())))
                .findFirst();
        return new PeerView(
                name,
                ownerOf(peer),
                isDeleting(peer),
                peer.getSpec().claimName(),
                StartReader.start(peer.getSpec().bootstrap()),
                replicaSet
                        .map(set ->
                                StartReader.start(set.getSpec().getTemplate().getMetadata()))
                        .orElse(Start.ON_DATA),
                StartReader.startsWith(peer.getSpec().bootstrap()),
                peer.getSpec().standsStill(),
                status.map(EtcdPeerStatus::node),
                status.flatMap(EtcdPeerStatus::unwellSince),
                replicaSet.flatMap(Diagnosis::ofReplicaSet),
                setup(peer, replicaSet));
    }

    private static PeerView.Setup setup(EtcdPeer peer, Optional<ReplicaSet> replicaSet) {
        return new PeerView.Setup(
                EtcdVersion.parse(peer.getSpec().version()),
                PeerSettings.hashOf(peer.getSpec()),
                replicaSet
                        .filter(Observer::isSeenByItsController)
                        .map(set -> settings(set.getSpec().getTemplate().getMetadata()))
                        .orElse(""),
                Optional.ofNullable(peer.getStatus())
                        .map(EtcdPeerStatus::serverVersion)
                        .map(EtcdVersion::parse),
                peer.getSpec().tlsOrNone());
    }

    /** Before that, the next pod would still be made from the template of before. */
    private static boolean isSeenByItsController(ReplicaSet set) {
        return set.getStatus() == null
                || set.getStatus().getObservedGeneration() == null
                || set.getStatus().getObservedGeneration() >= set.getMetadata().getGeneration();
    }

    private static String settings(ObjectMeta metadata) {
        return metadata.getAnnotations().getOrDefault(Labels.SETTINGS, "");
    }

    private PeerView.Owner ownerOf(EtcdPeer peer) {
        return ownerUid(peer)
                .map(uid -> uid.equals(objects.cluster().getMetadata().getUid())
                        ? PeerView.Owner.THIS_CLUSTER
                        : PeerView.Owner.EARLIER_CLUSTER)
                .orElse(PeerView.Owner.NOBODY);
    }

    private PodView pod(Pod pod, PeerName peer) {
        return new PodView(
                pod.getMetadata().getName(),
                peer,
                ownerUid(pod).map(livingReplicaSets::contains).orElse(false),
                claimName(pod),
                isDeleting(pod),
                lingers(pod.getMetadata()),
                Diagnosis.isReady(pod),
                !Labels.isOutOfService(pod),
                StartReader.start(pod.getMetadata()),
                settings(pod.getMetadata()),
                Transports.of(pod.getMetadata().getAnnotations(), transportOf(peer)),
                Optional.ofNullable(pod.getStatus().getPodIP()),
                Optional.ofNullable(pod.getSpec().getNodeName()),
                Diagnosis.ofPod(pod, StartReader.start(pod.getMetadata()), now));
    }

    private static boolean lingers(ObjectMeta pod) {
        return pod.getDeletionGracePeriodSeconds() != null && pod.getDeletionGracePeriodSeconds() > 1;
    }

    private Transport transportOf(PeerName name) {
        return objects.peers().stream()
                .filter(peer -> peerName(peer).equals(Optional.of(name)))
                .findFirst()
                .map(peer -> Transports.of(peer.getSpec().tlsOrNone()))
                .orElse(Transport.PLAIN);
    }

    private static String claimName(Pod pod) {
        return pod.getSpec().getVolumes().stream()
                .filter(volume ->
                        EtcdContainer.DATA_VOLUME.equals(volume.getName()) && volume.getPersistentVolumeClaim() != null)
                .map(volume -> volume.getPersistentVolumeClaim().getClaimName())
                .findFirst()
                .orElse("");
    }

    /** Of the nodes this cluster has to do with. */
    private Set<String> nodesDown() {
        Stream<String> ofPods = objects.pods().stream()
                .flatMap(pod -> Optional.ofNullable(pod.getSpec().getNodeName()).stream());
        Stream<String> ofPeers = objects.peers().stream()
                .flatMap(peer -> Optional.ofNullable(peer.getStatus()).map(EtcdPeerStatus::node).stream());
        return Stream.concat(ofPods, ofPeers)
                .filter(node -> !objects.nodesUp().contains(node))
                .collect(toSet());
    }

    private List<String> drift(Memory memory, Membership membership) {
        Stream<HasMetadata> peers = objects.peers().stream()
                .filter(peer -> ownerOf(peer) == PeerView.Owner.THIS_CLUSTER)
                .filter(peer -> peerName(peer).isPresent())
                .flatMap(peer -> Stream.of(new Peers(objects.cluster(), TlsSetup.NONE).asItShouldBe(peer))
                        .filter(desired -> Drift.between(desired, peer)));
        return Stream.concat(Support.drifted(objects, memory, membership), peers)
                .map(Support::nameOf)
                .toList();
    }

    /** Empty for what only carries the cluster's label: it is somebody else's and none of the planner's business. */
    private Optional<PeerName> peerName(HasMetadata object) {
        String label = object.getMetadata().getLabels().get(Labels.PEER);
        return PeerName.tryParse(label == null ? object.getMetadata().getName() : label)
                .filter(peer -> peer.cluster().equals(key.name()));
    }

    private static boolean isDeleting(HasMetadata object) {
        return object.getMetadata().getDeletionTimestamp() != null;
    }

    private static Optional<String> ownerUid(HasMetadata object) {
        return object.getMetadata().getOwnerReferences().stream()
                .filter(owner -> Boolean.TRUE.equals(owner.getController()))
                .map(OwnerReference::getUid)
                .findFirst();
    }
}
