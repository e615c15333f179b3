package etcdoperator.cluster.view;

import etcdoperator.api.MemberRole;
import etcdoperator.api.MemberStatus;
import etcdoperator.cluster.view.Membership.Reachable;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Scheme;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Everything one pass knows, frozen. The planner sees nothing else.
 *
 * @param nodesDown nodes that Kubernetes hears nothing of, or that are gone
 * @param drift names of the services, budgets and policies that are missing or differ from what they should be
 * @param surplus names of those that are no longer asked for
 * @param backups every EtcdBackup of this cluster
 * @param recoveries every EtcdRestore that the operator made to bring it back
 */
public record ClusterView(
        Wish wish,
        Memory memory,
        List<ClaimView> claims,
        List<PeerView> peers,
        List<PodView> pods,
        Membership membership,
        Set<String> nodesDown,
        TlsView tls,
        AuthView auth,
        List<String> drift,
        List<String> surplus,
        List<BackupView> backups,
        List<RecoveryView> recoveries,
        Chores chores,
        Instant now) {

    private static final Duration FIRST_MOMENTS = Duration.ofSeconds(10);
    private static final Duration TIME_TO_START = Duration.ofMinutes(1);

    /**
     * What the user asks for.
     *
     * @param uid tells this EtcdCluster from an earlier one of the same name
     * @param settings a hash over all that pods are to be made with, the version too
     * @param backsUpFirst whether a backup comes before each change of the minor version
     * @param mistake what the API server could not tell to be wrong with it
     * @param paused whether nothing is to be done
     * @param restoring the name of the EtcdRestore that is about to give the cluster other data
     * @param claimSeed what names of claims are made with where the plain ones were set aside
     */
    public record Wish(
            ClusterKey key,
            String uid,
            int replicas,
            EtcdVersion version,
            String settings,
            Duration memberTimeout,
            RecoveryWish recovery,
            Maintenance maintenance,
            boolean backsUpFirst,
            Optional<String> mistake,
            boolean paused,
            Optional<String> restoring,
            Optional<String> claimSeed) {
        /** What may be started on a claim: another minor than was there before comes later, with a roll. */
        public EtcdVersion versionFor(ClaimView claim) {
            return claim.version().filter(ran -> ran.minor() != version.minor()).orElse(version);
        }

        public PeerName peer(int ordinal) {
            return new PeerName(key.name(), ordinal);
        }
    }

    /** What status remembers of earlier passes. */
    public record Memory(
            Optional<ClusterId> clusterId,
            Optional<EtcdVersion> clusterVersion,
            Optional<Operation> operation,
            List<KnownMember> members) {}

    /**
     * A member that was listed when etcd was last heard.
     *
     * @param known its name, or its id until it had one
     * @param claimName the claim that its peer URL names
     */
    public record KnownMember(MemberId id, String known, boolean votes, Optional<String> claimName) {
        public static KnownMember of(MemberStatus member) {
            return new KnownMember(
                    MemberId.parse(member.id()),
                    Objects.requireNonNullElse(member.name(), member.id()),
                    member.role() != MemberRole.LEARNER,
                    Optional.ofNullable(member.claim()));
        }
    }

    /**
     * What is to be done when most voters are lost for good.
     *
     * @param automatic whether nobody has to be asked
     * @param grace how long it must have lasted before that
     * @param choice what a person has chosen to go on from
     * @param savesFirst whether what is left is backed up before anything is touched
     */
    public record RecoveryWish(boolean automatic, Duration grace, Optional<String> choice, boolean savesFirst) {}

    /** Peers of this very EtcdCluster that are here to stay. */
    public List<PeerView> ownPeers() {
        return peers.stream()
                .filter(peer -> peer.owner() == PeerView.Owner.THIS_CLUSTER && !peer.deleting())
                .toList();
    }

    /** Claims whose data counts: a retired one is waiting to be deleted. */
    public List<ClaimView> livingClaims() {
        return claims.stream().filter(claim -> !claim.retired()).toList();
    }

    public Optional<ClaimView> claim(String name) {
        return claims.stream().filter(claim -> claim.name().equals(name)).findFirst();
    }

    /** What may be started on a claim that is there, or is to be made. */
    public EtcdVersion versionOn(String claimName) {
        return claim(claimName).map(wish::versionFor).orElse(wish.version());
    }

    /** How a member on a claim that is there, or is to be made, is reached by the others. */
    public Scheme schemeOn(String claimName) {
        return claim(claimName).map(ClaimView::scheme).orElse(tls.scheme());
    }

    public Optional<PeerView> ownPeer(PeerName name) {
        return ownPeers().stream().filter(peer -> peer.name().equals(name)).findFirst();
    }

    /** The pod that runs this peer now, if there is one. */
    public Optional<PodView> podOf(PeerView peer) {
        return pods.stream().filter(pod -> pod.runs(peer)).findFirst();
    }

    /** Nodes that may still have this peer's volume: also that of a pod on its way out, which a dead node never ends. */
    public Stream<String> nodesOf(PeerView peer) {
        return pods.stream()
                .filter(pod -> pod.claimName().equals(peer.claimName()))
                .flatMap(pod -> pod.node().stream());
    }

    /** Whether a peer or a pod has its data on this claim, or would have. */
    public boolean isInUse(String claimName) {
        return Stream.concat(
                        peers.stream().map(PeerView::claimName), pods.stream().map(PodView::claimName))
                .anyMatch(claimName::equals);
    }

    /** Where Kubernetes doubts a pod, its member may have gone silent since it was last asked. */
    public boolean everyPodIsReady() {
        return ownPeers().stream()
                .allMatch(peer -> podOf(peer).map(PodView::ready).orElse(false));
    }

    public Optional<Reachable> reachable() {
        return membership instanceof Reachable reachable ? Optional.of(reachable) : Optional.empty();
    }

    /** Members that are still coming up are no news, unless they have been at it for too long. */
    public boolean isStarting() {
        return memory.operation()
                .filter(operation -> operation.startsMembers())
                .map(operation -> now.isBefore(operation.startedAt().plus(TIME_TO_START)))
                .orElse(memory.clusterId().isEmpty());
    }

    /** What is seen this early passes by itself, and is not worth telling. */
    public boolean hasJustBegun() {
        return memory.operation()
                .map(operation -> now.isBefore(operation.startedAt().plus(FIRST_MOMENTS)))
                .orElse(false);
    }
}
