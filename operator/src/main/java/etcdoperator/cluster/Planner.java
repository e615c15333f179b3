package etcdoperator.cluster;

import static java.util.stream.Collectors.joining;

import etcdoperator.cluster.auth.AccountSteps;
import etcdoperator.cluster.lifecycle.Founding;
import etcdoperator.cluster.lifecycle.LyingDown;
import etcdoperator.cluster.lifecycle.Sleeping;
import etcdoperator.cluster.maintenance.Alarms;
import etcdoperator.cluster.maintenance.Upkeep;
import etcdoperator.cluster.membership.Admission;
import etcdoperator.cluster.membership.Removal;
import etcdoperator.cluster.membership.Sealing;
import etcdoperator.cluster.recovery.Recovery;
import etcdoperator.cluster.rollout.Renewal;
import etcdoperator.cluster.rollout.Roll;
import etcdoperator.cluster.rollout.SafetyBackup;
import etcdoperator.cluster.status.Conditions;
import etcdoperator.cluster.step.ClaimStep;
import etcdoperator.cluster.step.LifecycleStep.Adopt;
import etcdoperator.cluster.step.LifecycleStep.PeerOnClaim;
import etcdoperator.cluster.step.LifecycleStep.Resume;
import etcdoperator.cluster.step.Outcome.Rest;
import etcdoperator.cluster.step.Outcome.Steady;
import etcdoperator.cluster.step.Outcome.Stuck;
import etcdoperator.cluster.step.Outcome.Wait;
import etcdoperator.cluster.step.ServiceStep.Tend;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.tls.Certificates;
import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClaimView.Contents;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Roster;
import etcdoperator.domain.PeerName;
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
        if (view.wish().paused()) {
            return new Rest(Conditions.PAUSE);
        }
        var planner = new Planner(view);
        Step step = planner.next();
        // Whatever is waited for may take long, and the claims may be all that is left.
        boolean idle = step instanceof Wait || step instanceof Stuck || step instanceof Steady;
        return idle ? planner.protect().orElse(step) : step;
    }

    private Step next() {
        var sealing = new Sealing(view);
        var judgement = new Judgement(view);
        Optional<Step> beforehand = first(this::adopt, () -> LyingDown.next(view), () -> Certificates.issue(view));
        if (beforehand.isPresent()) {
            return beforehand.get();
        }
        if (view.ownPeers().isEmpty()) {
            return view.wish()
                    .mistake()
                    .map(why -> new Problem(Problem.Kind.SettingsRefused, why))
                    .or(() -> view.tls().problem())
                    .or(() -> Founding.cannotSpeak(view))
                    .map(Judgement::halt)
                    .orElseGet(() -> Founding.next(view));
        }
        if (view.wish().replicas() == 0) {
            return first(sealing::seal, sealing::inscribe, this::completeBootstrap, this::tend)
                    .orElseGet(() -> Sleeping.next(view));
        }
        return first(
                        sealing::seal,
                        sealing::inscribe,
                        this::completeBootstrap,
                        this::tend,
                        () -> Upkeep.putBack(view),
                        () -> new Renewal(view).mend(),
                        () -> Sleeping.wake(view),
                        this::resumeMissingPeers,
                        () -> Recovery.next(view),
                        this::changeMembers,
                        judgement::finish,
                        () -> Certificates.look(view),
                        this::protect,
                        this::expand)
                .orElseGet(judgement::judge);
    }

    /** Heal, finish what is under way, scale; each only as far as quorum allows. */
    private Optional<Step> changeMembers() {
        return Roster.of(view).flatMap(roster -> {
            var removal = new Removal(view, roster);
            var admission = new Admission(view, roster);
            var alarms = new Alarms(view, roster);
            var upkeep = new Upkeep(view, roster);
            var accounts = new AccountSteps(view, roster);
            return first(
                    new Roll(view, roster)::relistStray,
                    () -> view.tls().problem().isPresent() ? Optional.empty() : removal.heal(),
                    removal::expel,
                    admission::carryOn,
                    removal::shrink,
                    admission::promote,
                    alarms::corruption,
                    new Roll(view, roster)::next,
                    () -> alarms.space(upkeep),
                    admission::grow,
                    removal::tidy,
                    () -> SafetyBackup.outdated(view),
                    accounts::next,
                    upkeep::next,
                    alarms::comparison);
        });
    }

    @SafeVarargs
    private static Optional<Step> first(Supplier<Optional<Step>>... candidates) {
        return Stream.of(candidates)
                .flatMap(candidate -> candidate.get().stream())
                .findFirst();
    }

    /** Only peers that run on data known to be theirs, or were joining: anything else under our label was made by hand. */
    private Optional<Step> adopt() {
        List<PeerName> orphans = view.peers().stream()
                .filter(peer -> peer.owner() == PeerView.Owner.NOBODY && !peer.deleting() && !peer.mayFoundCluster())
                .filter(peer -> view.claim(peer.claimName())
                        .filter(claim -> claim.heldData() || claim.contents() instanceof Contents.Joining)
                        .isPresent())
                .map(PeerView::name)
                .toList();
        return orphans.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Adopt(orphans, "Taking up " + names(orphans.stream()) + ", left by an earlier cluster"));
    }

    private Optional<Step> tend() {
        return view.drift().isEmpty() && view.surplus().isEmpty()
                ? Optional.empty()
                : Optional.of(Tend.to(view.drift(), view.surplus()));
    }

    /** A bootstrap that was cut short after its first peer: all its claims were made before that, so none may be missing. */
    private Optional<Step> completeBootstrap() {
        return view.livingClaims().stream()
                .flatMap(claim -> unfinishedBootstrap(claim).stream())
                .findFirst()
                .flatMap(this::completeBootstrap);
    }

    /** That of a founder who has not been seen yet, if it is this cluster's own or its peers carry it on. */
    private Optional<Contents.Bootstrapping> unfinishedBootstrap(ClaimView claim) {
        boolean goesOn = view.ownPeers().stream().anyMatch(PeerView::mayFoundCluster);
        return claim.contents() instanceof Contents.Bootstrapping bootstrap
                        && (goesOn || bootstrap.token().equals(view.wish().uid()))
                ? Optional.of(bootstrap)
                : Optional.empty();
    }

    private Optional<Step> completeBootstrap(Contents.Bootstrapping bootstrap) {
        List<PeerName> founders =
                IntStream.range(0, bootstrap.size()).mapToObj(view.wish()::peer).toList();
        List<PeerName> missing = founders.stream()
                .filter(peer -> !hasPeer(peer) && !holdsData(peer) && !hasLeft(peer))
                .toList();
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        Optional<Step> confusion = Founding.ofAnotherSize(view, founders);
        if (confusion.isPresent()) {
            return confusion;
        }
        List<PeerName> lost = founders.stream()
                .filter(peer -> view.claim(peer.toString()).isEmpty())
                .toList();
        if (!lost.isEmpty()) {
            // Where some have joined, beginning anew is no advice to give: then the lost ones are told of by name.
            return view.livingClaims().stream().anyMatch(ClaimView::heldData)
                    ? Optional.empty()
                    : Optional.of(new Stuck(Founding.brokenBootstrap(view, lost)));
        }
        return leftoverPods(missing).or(() -> Optional.of(Founding.bootstrap(bootstrap.token(), founders)));
    }

    /** A peer that was deleted by hand comes back on its own volume; one that was never seen starts on data, or not at all. */
    private Optional<Step> resumeMissingPeers() {
        List<PeerOnClaim> missing = view.livingClaims().stream()
                .filter(claim -> !hasPeer(claim.peer()) && isWorthStarting(claim))
                .map(claim ->
                        new PeerOnClaim(claim.peer(), claim.name(), view.wish().versionFor(claim)))
                .toList();
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        return leftoverPods(missing.stream().map(PeerOnClaim::peer).toList())
                .or(() -> Optional.of(new Resume(
                        missing,
                        "Starting " + names(missing.stream().map(PeerOnClaim::peer)) + " again on its volume")));
    }

    /** Of a member that etcd no longer lists, nobody needs the data. */
    private boolean isWorthStarting(ClaimView claim) {
        return switch (claim.contents()) {
            case Contents.Bootstrapping bootstrapping -> true;
            case Contents.Held held ->
                Roster.of(view).map(roster -> roster.lists(held.memberId())).orElse(true);
            case Contents.Joining joining -> false;
            case Contents.Unknown unknown -> false;
        };
    }

    /** Last, because a storage class that cannot expand volumes refuses it each time, and nothing else may wait for that. */
    private Optional<Step> expand() {
        List<String> small = view.ownPeers().stream()
                .flatMap(peer -> view.claim(peer.claimName()).stream())
                .filter(claim -> claim.small() && !claim.deleting() && !claim.retired())
                .map(ClaimView::name)
                .toList();
        return small.isEmpty()
                ? Optional.empty()
                : Optional.of(new ClaimStep.Expand(small, "Asking for larger volumes for " + String.join(", ", small)));
    }

    /** A policy may refuse it each time, so nothing but an expansion, which may be refused as well, comes after it. */
    private Optional<Step> protect() {
        List<String> prunable = view.claims().stream()
                .filter(claim -> claim.prunable() && !claim.deleting())
                .map(ClaimView::name)
                .toList();
        return prunable.isEmpty()
                ? Optional.empty()
                : Optional.of(new ClaimStep.Protect(
                        prunable,
                        "Protecting claims %s from pruning by Argo CD".formatted(String.join(", ", prunable))));
    }

    /** Two etcd processes on one volume must never be: a pod on its way out is waited for. */
    private Optional<Step> leftoverPods(List<PeerName> peers) {
        return view.pods().stream()
                .filter(pod -> peers.contains(pod.peer()))
                .findFirst()
                .map(pod -> new Wait(Founding.waitingFor(pod)));
    }

    /** Such a founder has joined already: it comes back on its data and never founds again. */
    private boolean holdsData(PeerName founder) {
        return view.claim(founder.toString()).filter(ClaimView::heldData).isPresent();
    }

    /** Its claim is retired: it was removed before it was ever seen, and must not found again. */
    private boolean hasLeft(PeerName founder) {
        return view.claim(founder.toString()).filter(ClaimView::retired).isPresent();
    }

    private boolean hasPeer(PeerName name) {
        return view.ownPeers().stream().anyMatch(peer -> peer.name().equals(name));
    }

    private static String names(Stream<PeerName> peers) {
        return peers.map(PeerName::toString).collect(joining(", "));
    }
}
