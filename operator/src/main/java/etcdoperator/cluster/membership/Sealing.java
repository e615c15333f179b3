package etcdoperator.cluster.membership;

import static java.util.stream.Collectors.joining;

import etcdoperator.cluster.step.LifecycleStep.Inscribe;
import etcdoperator.cluster.step.LifecycleStep.Joined;
import etcdoperator.cluster.step.LifecycleStep.Seal;
import etcdoperator.cluster.step.Outcome.Stuck;
import etcdoperator.cluster.step.Outcome.Wait;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClaimView.Contents;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.Membership.Reachable;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Start;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.PeerName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Who was seen to run on a claim starts on its data from then on, or not at all: an emptied volume must not vote. */
public final class Sealing {
    private final ClusterView view;

    public Sealing(ClusterView view) {
        this.view = view;
    }

    public Optional<Step> seal() {
        List<Joined> joined = new ArrayList<>();
        Optional<ClusterId> cluster = Optional.empty();
        for (PeerView peer : view.ownPeers()) {
            Optional<ClaimView> claim = view.claim(peer.claimName()).filter(found -> !found.retired());
            Optional<Contents.Held> seen = seen(peer);
            Optional<Contents.Held> held = claim.flatMap(ClaimView::held);
            // Deleting the claim gives it up, and its member is replaced.
            if (held.isPresent() && claim.filter(found -> found.holdsOtherData() && !found.deleting()).isPresent()) {
                return claim.flatMap(ClaimView::problem).map(Stuck::new);
            }
            if (held.isPresent() && seen.isPresent() && !held.equals(seen) && answers(peer)) {
                return Optional.of(new Stuck(mismatch(peer, held.get(), seen.get())));
            }
            Optional<Contents.Held> identity = held.or(() -> seen.filter(member -> answers(peer))
                    .filter(member -> claim.filter(found -> isExpected(found, member)).isPresent()));
            if (claim.isPresent() && identity.isPresent() && !isSealed(peer, claim.get())) {
                joined.add(
                        new Joined(peer.name(), peer.claimName(), identity.get().memberId()));
                cluster = identity.map(Contents.Held::clusterId);
            }
        }
        return cluster.map(id ->
                new Seal(id, joined, names(joined.stream().map(Joined::peer)) + " joined the cluster"));
    }

    /** Where a cluster is started again, its volumes must not be given to a minor that cannot read them. */
    public Optional<Step> inscribe() {
        SortedMap<String, EtcdVersion> versions = new TreeMap<>();
        for (PeerView peer : view.ownPeers()) {
            view.reachable()
                    .flatMap(reachable -> reachable.memberOn(peer.claimName()))
                    .filter(MemberView::healthy)
                    .flatMap(MemberView::version)
                    // While another is on its way, the claim says that one already.
                    .filter(version -> version.mayBe(peer.setup().version()))
                    // The image is called so: what the member says may lack a suffix.
                    .map(version -> peer.setup().version())
                    .filter(version -> view.claim(peer.claimName())
                            .filter(claim ->
                                    claim.heldData() && !claim.version().equals(Optional.of(version)))
                            .isPresent())
                    .ifPresent(version -> versions.put(peer.claimName(), version));
        }
        return versions.isEmpty()
                ? Optional.empty()
                : Optional.of(new Inscribe(
                        versions, "Writing down the version that runs on " + String.join(", ", versions.keySet())));
    }

    /**
     * A founder answered with the ids that follow from its address, or its answer would not count. Of a member that
     * joins, the claim records the id that etcd gave it. Where it does not, because the operator died in between, only
     * the list of a quorum tells which member is called by this claim.
     */
    private boolean isExpected(ClaimView claim, Contents.Held member) {
        return switch (claim.contents()) {
            case Contents.Joining joining ->
                claim.expected().map(member.memberId()::equals).orElseGet(() -> view.reachable()
                        .filter(Reachable::quorumAnswers)
                        .isPresent());
            case Contents.Bootstrapping bootstrapping -> true;
            case Contents.Held held -> true;
            case Contents.Unknown unknown -> true;
        };
    }

    /** Who etcd says the peer is. */
    private Optional<Contents.Held> seen(PeerView peer) {
        return view.reachable()
                .flatMap(reachable -> reachable
                        .memberOn(peer.claimName())
                        .map(member -> new Contents.Held(reachable.clusterId(), member.id())));
    }

    /** Founders are listed by name before they first start; one that lost the right to found by then never could. */
    private boolean answers(PeerView peer) {
        return view.reachable()
                .flatMap(reachable -> reachable.memberOn(peer.claimName()))
                .flatMap(MemberView::version)
                .isPresent();
    }

    private boolean isSealed(PeerView peer, ClaimView claim) {
        return claim.heldData()
                && peer.start() == Start.ON_DATA
                && !peer.unrecognised()
                && view.podOf(peer).map(pod -> pod.start() == Start.ON_DATA).orElse(true);
    }

    /** An operator may be away for long after it has finished: no pod made in that time may found a cluster. */
    public Optional<Step> unsealedTemplates() {
        List<PeerName> founding = view.ownPeers().stream()
                .filter(peer -> peer.templateStart() != Start.ON_DATA)
                .map(PeerView::name)
                .toList();
        return founding.isEmpty()
                ? Optional.empty()
                : Optional.of(new Wait("Waiting for the ReplicaSets of " + names(founding.stream())
                        + " to take up that their members have joined"));
    }

    private static Problem mismatch(PeerView peer, Contents.Held held, Contents.Held seen) {
        return new Problem(
                Problem.Kind.IdentityMismatch,
                "Claim %s belongs to member %s of cluster %s, but etcd answers as member %s of cluster %s; nothing is done until the claim with the right data is back"
                        .formatted(
                                peer.claimName(),
                                held.memberId(),
                                held.clusterId(),
                                seen.memberId(),
                                seen.clusterId()));
    }

    private static String names(Stream<PeerName> peers) {
        return peers.map(PeerName::toString).collect(joining(", "));
    }
}
