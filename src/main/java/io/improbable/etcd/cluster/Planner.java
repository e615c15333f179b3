package io.improbable.etcd.cluster;

import static java.util.stream.Collectors.joining;

import io.improbable.etcd.cluster.ClaimView.Contents;
import io.improbable.etcd.cluster.Membership.MemberView;
import io.improbable.etcd.cluster.Membership.Reachable;
import io.improbable.etcd.cluster.Membership.Unreachable;
import io.improbable.etcd.cluster.Step.Finish;
import io.improbable.etcd.cluster.Step.Joined;
import io.improbable.etcd.cluster.Step.PeerOnClaim;
import io.improbable.etcd.cluster.Step.Resume;
import io.improbable.etcd.cluster.Step.Seal;
import io.improbable.etcd.cluster.Step.Steady;
import io.improbable.etcd.cluster.Step.Stuck;
import io.improbable.etcd.cluster.Step.Tend;
import io.improbable.etcd.cluster.Step.Wait;
import io.improbable.etcd.domain.PeerName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Judges a view and names the one next step. Pure: the same view always gets the same step. */
public final class Planner {
    private final ClusterView view;

    private Planner(ClusterView view) {
        this.view = view;
    }

    public static Step next(ClusterView view) {
        var planner = new Planner(view);
        if (view.ownPeers().isEmpty()) {
            return Founding.next(view);
        }
        return first(
                        planner::tend,
                        planner::completeBootstrap,
                        planner::seal,
                        planner::resumeMissingPeers,
                        planner::finish)
                .orElseGet(planner::judge);
    }

    @SafeVarargs
    private static Optional<Step> first(Supplier<Optional<Step>>... candidates) {
        return Stream.of(candidates)
                .flatMap(candidate -> candidate.get().stream())
                .findFirst();
    }

    private Optional<Step> tend() {
        return view.drift().isEmpty()
                ? Optional.empty()
                : Optional.of(new Tend(view.drift(), "Restoring " + String.join(", ", view.drift())));
    }

    /** A bootstrap that was cut short after its first peer: all its claims were made before that, so none may be missing. */
    private Optional<Step> completeBootstrap() {
        return view.ownPeers().stream()
                .filter(PeerView::mayFoundCluster)
                .flatMap(peer -> view.claim(peer.claimName()).stream())
                .flatMap(claim -> claim.contents() instanceof Contents.Bootstrapping b ? Stream.of(b) : Stream.empty())
                .findFirst()
                .flatMap(this::completeBootstrap);
    }

    private Optional<Step> completeBootstrap(Contents.Bootstrapping bootstrap) {
        List<PeerName> founders =
                IntStream.range(0, bootstrap.size()).mapToObj(view.wish()::peer).toList();
        if (founders.stream().allMatch(this::hasPeer)) {
            return Optional.empty();
        }
        List<PeerName> lost = founders.stream()
                .filter(peer -> view.claim(peer.toString()).isEmpty())
                .toList();
        if (!lost.isEmpty()) {
            return Optional.of(new Stuck(Founding.brokenBootstrap(view, lost)));
        }
        return leftoverPods(founders.stream().filter(peer -> !hasPeer(peer)).toList())
                .or(() -> Optional.of(Founding.bootstrap(bootstrap.token(), founders)));
    }

    private Optional<Step> seal() {
        if (!(view.membership() instanceof Reachable reachable)) {
            return Optional.empty();
        }
        List<Joined> joined = new ArrayList<>();
        for (PeerView peer : view.ownPeers()) {
            Optional<MemberView> member = reachable.member(peer.name());
            Optional<ClaimView> claim = view.claim(peer.claimName());
            if (member.isEmpty() || claim.isEmpty()) {
                continue;
            }
            if (claim.get().contents() instanceof Contents.Held held
                    && !held.equals(new Contents.Held(
                            reachable.clusterId(), member.get().id()))) {
                return Optional.of(new Stuck(mismatch(claim.get(), held, reachable, member.get())));
            }
            if (!isSealed(peer, claim.get())) {
                joined.add(
                        new Joined(peer.name(), peer.claimName(), member.get().id()));
            }
        }
        return joined.isEmpty()
                ? Optional.empty()
                : Optional.of(new Seal(
                        reachable.clusterId(),
                        joined,
                        names(joined.stream().map(Joined::peer)) + " joined the cluster"));
    }

    private boolean isSealed(PeerView peer, ClaimView claim) {
        return claim.heldData()
                && !peer.mayFoundCluster()
                && view.podOf(peer.name()).map(pod -> !pod.mayFoundCluster()).orElse(true);
    }

    /** A peer that was deleted by hand comes back on its own volume. */
    private Optional<Step> resumeMissingPeers() {
        List<PeerOnClaim> missing = view.livingClaims().stream()
                .filter(claim -> claim.heldData() && !hasPeer(claim.peer()))
                .map(claim -> new PeerOnClaim(claim.peer(), claim.name()))
                .toList();
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        return leftoverPods(missing.stream().map(PeerOnClaim::peer).toList())
                .or(() -> Optional.of(new Resume(
                        missing,
                        "Starting " + names(missing.stream().map(PeerOnClaim::peer)) + " again on its volume")));
    }

    private Optional<Step> finish() {
        return view.memory()
                .operation()
                .filter(operation -> view.ownPeers().stream().allMatch(peer -> isWell(peer.name())))
                .map(operation -> new Finish(operation, Conditions.word(operation.type()) + " finished: " + health()));
    }

    private Step judge() {
        Optional<Problem> problem = Problems.of(view).stream().findFirst();
        if (problem.isPresent()) {
            return problem.get().kind().needsPerson()
                    ? new Stuck(problem.get())
                    : new Wait(problem.get().message());
        }
        return switch (view.membership()) {
            case Unreachable(String why) -> new Wait("Waiting for etcd to answer: " + why);
            case Reachable reachable -> {
                List<PeerName> unwell = view.ownPeers().stream()
                        .map(PeerView::name)
                        .filter(peer -> !isWell(peer))
                        .toList();
                yield unwell.isEmpty()
                        ? new Steady(health())
                        : new Wait("Waiting for " + names(unwell.stream()) + " to be healthy");
            }
        };
    }

    /** Two etcd processes on one volume must never be: a pod on its way out is waited for. */
    private Optional<Step> leftoverPods(List<PeerName> peers) {
        return view.pods().stream()
                .filter(pod -> peers.contains(pod.peer()))
                .findFirst()
                .map(pod -> new Wait(Founding.waitingFor(pod)));
    }

    private boolean hasPeer(PeerName name) {
        return view.ownPeers().stream().anyMatch(peer -> peer.name().equals(name));
    }

    private boolean isWell(PeerName peer) {
        return view.membership() instanceof Reachable reachable
                && reachable.member(peer).map(MemberView::healthy).orElse(false);
    }

    private String health() {
        return view.membership() instanceof Reachable reachable
                ? reachable.members().stream().filter(MemberView::healthy).count() + " of "
                        + reachable.members().size() + " members are healthy"
                : "no member answers";
    }

    private static Problem mismatch(ClaimView claim, Contents.Held held, Reachable reachable, MemberView member) {
        return new Problem(
                Problem.Kind.IdentityMismatch,
                "Claim %s belongs to member %s of cluster %s, but etcd answers as member %s of cluster %s; nothing is done until the claim with the right data is back"
                        .formatted(
                                claim.name(), held.memberId(), held.clusterId(), member.id(), reachable.clusterId()));
    }

    private static String names(Stream<PeerName> peers) {
        return peers.map(PeerName::toString).collect(joining(", "));
    }
}
