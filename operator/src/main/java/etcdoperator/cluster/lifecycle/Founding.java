package etcdoperator.cluster.lifecycle;

import static java.util.stream.Collectors.joining;

import etcdoperator.cluster.recovery.Recovery;
import etcdoperator.cluster.step.LifecycleStep.Bootstrap;
import etcdoperator.cluster.step.LifecycleStep.PeerOnClaim;
import etcdoperator.cluster.step.LifecycleStep.Resume;
import etcdoperator.cluster.step.Outcome.Stuck;
import etcdoperator.cluster.step.Outcome.Wait;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClaimView.Contents;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.cluster.view.Problem;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Scheme;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How a cluster without peers begins. A wrong answer here loses data: founding a cluster over volumes that hold one
 * lets an empty member vote, so volumes are asked first and what cannot be judged waits for a person.
 */
public final class Founding {
    private Founding() {}

    public static Step next(ClusterView view) {
        Optional<Step> leftovers = leftovers(view);
        if (leftovers.isPresent()) {
            return leftovers.get();
        }
        if (view.wish().replicas() == 0) {
            return Sleeping.asleep(view);
        }
        List<ClaimView> claims = claimsToStartOn(view);
        if (claims.isEmpty()) {
            return Recovery.next(view)
                    .or(() -> view.memory().clusterId().map(id -> new Stuck(dataGone(view))))
                    .orElseGet(() -> bootstrap(
                            view.wish().uid(), ordinals(view, view.wish().replicas())));
        }
        List<ClaimView> unknown = claims.stream()
                .filter(claim -> claim.contents() instanceof Contents.Unknown)
                .toList();
        if (!unknown.isEmpty()) {
            return new Stuck(unknownClaims(unknown));
        }
        if (claims.stream().anyMatch(ClaimView::heldData)) {
            return resume(view, claims);
        }
        return claims.stream().allMatch(claim -> claim.contents() instanceof Contents.Joining)
                ? new Stuck(dataGone(view))
                : continueBootstrap(view, claims);
    }

    /**
     * A claim is retired before its member is removed, so its member may still be one of those that quorum needs. Where
     * the peer has another claim, it had left: that one was made later.
     */
    private static List<ClaimView> claimsToStartOn(ClusterView view) {
        List<ClaimView> living = view.livingClaims();
        Stream<ClaimView> retired = view.claims().stream()
                .filter(claim -> claim.heldData() && !claim.deleting())
                .filter(claim -> living.stream().noneMatch(other -> other.peer().equals(claim.peer())));
        return Stream.concat(living.stream(), retired).toList();
    }

    /**
     * Members look for each other by the scheme they are listed with, and that can be changed only while they run. So do
     * founders, of whom one may run unseen: others by another scheme would found a cluster of their own.
     */
    public static Optional<Problem> cannotSpeak(ClusterView view) {
        List<ClaimView> byTls = claimsToStartOn(view).stream()
                .filter(claim -> claim.scheme() == Scheme.HTTPS)
                .filter(claim -> claim.heldData() || foundsWithOthers(claim))
                .toList();
        boolean alone = byTls.size() < 2 && byTls.stream().allMatch(ClaimView::heldData);
        return alone || view.tls().forMember(Scheme.HTTPS).peer() != null
                ? Optional.empty()
                : Optional.of(new Problem(
                        Problem.Kind.CertificatesInvalid,
                        "The members on claims %s reach each other by TLS only, and spec.tls.peer is not set; set it to start them, and remove it once they run"
                                .formatted(byTls.stream().map(ClaimView::name).collect(joining(", ")))));
    }

    private static boolean foundsWithOthers(ClaimView claim) {
        return claim.contents() instanceof Contents.Bootstrapping bootstrap && bootstrap.size() > 1;
    }

    public static Bootstrap bootstrap(String token, List<PeerName> founders) {
        return new Bootstrap(token, founders, "Bootstrapping " + names(founders.stream()));
    }

    /** Objects of a deleted cluster of the same name: the garbage collector is on its way to them. */
    static Optional<Step> leftovers(ClusterView view) {
        Optional<PeerView> ownerless = view.peers().stream()
                .filter(peer -> peer.owner() == PeerView.Owner.NOBODY && !peer.deleting())
                .findFirst();
        if (ownerless.isPresent()) {
            // Before its pod, which nobody ends as long as the peer is there.
            return ownerless.map(peer -> new Wait(waitingFor(peer)));
        }
        if (!view.pods().isEmpty()) {
            return Optional.of(new Wait(waitingFor(view.pods().getFirst())));
        }
        return view.peers().stream().findFirst().map(peer -> new Wait(waitingFor(peer)));
    }

    private static String waitingFor(PeerView peer) {
        return switch (peer.owner()) {
            case THIS_CLUSTER, EARLIER_CLUSTER -> "Waiting for EtcdPeer %s to be removed".formatted(peer.name());
            case NOBODY ->
                "EtcdPeer %s belongs to no cluster and holds no data this cluster could start on; delete it"
                        .formatted(peer.name());
        };
    }

    public static String waitingFor(PodView pod) {
        return "Waiting for pod %s%s to end, so that no two run on one volume; if its node is gone for good, delete the pod with --force"
                .formatted(
                        pod.name(), pod.node().map(node -> " on node " + node).orElse(""));
    }

    private static Step resume(ClusterView view, List<ClaimView> claims) {
        Set<ClusterId> ids = claims.stream()
                .flatMap(claim ->
                        claim.contents() instanceof Contents.Held held ? Stream.of(held.clusterId()) : Stream.empty())
                .collect(Collectors.toSet());
        view.memory().clusterId().ifPresent(ids::add);
        if (ids.size() > 1) {
            return new Stuck(new Problem(
                    Problem.Kind.ClaimsDisagree,
                    "The claims of this cluster hold data of different etcd clusters (%s); delete the claims that do not belong here"
                            .formatted(ids.stream()
                                    .map(ClusterId::toString)
                                    .sorted()
                                    .collect(joining(", ")))));
        }
        List<PeerOnClaim> peers = onePerPeer(view, claims);
        return new Resume(
                peers,
                "Starting " + names(peers.stream().map(PeerOnClaim::peer))
                        + " on the volumes that hold the cluster's data");
    }

    /**
     * A member that was seen on a claim goes before one that was only about to join. Of two that were seen, the older had
     * left when the other was added, even if somebody else removed it, so that its claim was never retired.
     */
    private static List<PeerOnClaim> onePerPeer(ClusterView view, List<ClaimView> claims) {
        var later = Comparator.comparing(ClaimView::heldData).thenComparing(ClaimView::createdAt);
        return claims.stream()
                .collect(Collectors.toMap(ClaimView::peer, claim -> claim, BinaryOperator.maxBy(later), TreeMap::new))
                .values()
                .stream()
                .map(claim ->
                        new PeerOnClaim(claim.peer(), claim.name(), view.wish().versionFor(claim)))
                .toList();
    }

    /** No member was seen on any claim, so whether a founder has written is not known: only the same bootstrap may go on. */
    private static Step continueBootstrap(ClusterView view, List<ClaimView> claims) {
        Set<Contents> bootstraps = claims.stream().map(ClaimView::contents).collect(Collectors.toSet());
        var first = bootstraps.stream()
                .filter(Contents.Bootstrapping.class::isInstance)
                .map(Contents.Bootstrapping.class::cast)
                .findFirst()
                .orElseThrow();
        List<PeerName> founders = ordinals(view, first.size());
        List<PeerName> missing = founders.stream()
                .filter(peer -> view.claim(peer.toString()).isEmpty())
                .toList();
        boolean ours = first.token().equals(view.wish().uid());
        if (bootstraps.size() > 1 || (!missing.isEmpty() && !ours)) {
            return new Stuck(brokenBootstrap(view, missing));
        }
        return bootstrap(first.token(), founders);
    }

    /** A founder that was made for another size would found a cluster of its own beside the others. */
    public static Optional<Step> ofAnotherSize(ClusterView view, List<PeerName> founders) {
        Set<String> names = founders.stream().map(PeerName::toString).collect(Collectors.toSet());
        return view.ownPeers().stream()
                .filter(PeerView::mayFoundCluster)
                .filter(peer -> !peer.startsWith().equals(names))
                .findFirst()
                .map(peer -> new Stuck(brokenBootstrap(view, List.of())));
    }

    public static Problem brokenBootstrap(ClusterView view, List<PeerName> missing) {
        return new Problem(
                Problem.Kind.BootstrapBroken,
                "A bootstrap was cut short and %s; whether its members took writes cannot be known. Delete the EtcdCluster and the claims labelled etcd.improbable.io/cluster-name=%s to begin anew"
                        .formatted(
                                missing.isEmpty()
                                        ? "its claims do not belong together"
                                        : "the claims of " + names(missing.stream()) + " are gone",
                                view.wish().key().name()));
    }

    private static Problem dataGone(ClusterView view) {
        return new Problem(
                Problem.Kind.DataGone,
                "Every claim that held data of etcd cluster %s is gone, and an empty cluster is not put in its place; to begin anew, delete the EtcdCluster and the claims it has left, and create it again"
                        .formatted(view.memory()
                                .clusterId()
                                .map(ClusterId::toString)
                                .orElse("unknown")));
    }

    private static Problem unknownClaims(List<ClaimView> claims) {
        return new Problem(
                Problem.Kind.ClaimsUnknown,
                "Claims %s were not made by this operator, so their contents are not known; delete them, or give the cluster another name"
                        .formatted(new TreeSet<>(
                                claims.stream().map(ClaimView::name).toList())));
    }

    private static List<PeerName> ordinals(ClusterView view, int size) {
        return IntStream.range(0, size).mapToObj(view.wish()::peer).toList();
    }

    private static String names(Stream<PeerName> peers) {
        return peers.map(PeerName::toString).collect(joining(", "));
    }
}
