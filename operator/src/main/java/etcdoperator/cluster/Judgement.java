package etcdoperator.cluster;

import static java.util.stream.Collectors.joining;

import etcdoperator.cluster.membership.Sealing;
import etcdoperator.cluster.status.Problems;
import etcdoperator.cluster.step.Outcome.Finish;
import etcdoperator.cluster.step.Outcome.Steady;
import etcdoperator.cluster.step.Outcome.Stuck;
import etcdoperator.cluster.step.Outcome.Wait;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.Membership.Reachable;
import etcdoperator.cluster.view.Membership.Unreachable;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.Problem;
import etcdoperator.domain.PeerName;
import java.util.List;
import java.util.Optional;

/** Whether all that was begun has come to its end, and what a cluster waits for when there is nothing to do. */
final class Judgement {
    private final ClusterView view;

    Judgement(ClusterView view) {
        this.view = view;
    }

    Optional<Step> finish() {
        return view.reachable()
                .filter(reachable -> view.ownPeers().size() == view.wish().replicas())
                .filter(reachable -> view.ownPeers().stream().allMatch(this::isWell))
                .filter(reachable -> reachable.learners().isEmpty())
                .flatMap(reachable -> view.memory()
                        .operation()
                        .map(operation -> new Sealing(view)
                                .unsealedTemplates()
                                .orElseGet(() -> new Finish(operation, health(reachable)))));
    }

    Step judge() {
        Optional<Problem> problem = Problems.of(view).stream().findFirst();
        if (problem.isPresent()) {
            return halt(problem.get());
        }
        return switch (view.membership()) {
            case Unreachable(String why, var depths) ->
                new Wait(view.isStarting() ? "Waiting for the members to start" : "Waiting for etcd to answer: " + why);
            case Reachable reachable -> {
                List<PeerName> unwell = view.ownPeers().stream()
                        .filter(peer -> !isWell(peer))
                        .map(PeerView::name)
                        .toList();
                if (!unwell.isEmpty()) {
                    yield new Wait("Waiting for "
                            + unwell.stream().map(PeerName::toString).collect(joining(", ")) + " to be healthy");
                }
                yield reachable.learners().stream()
                        .findFirst()
                        .map(learner -> "Waiting for %s to catch up".formatted(learner.known()))
                        .or(() -> needed(reachable))
                        .<Step>map(Wait::new)
                        .orElseGet(() -> new Steady(health(reachable) + heldBack()));
            }
        };
    }

    static Step halt(Problem problem) {
        return problem.kind().needsPerson() ? new Stuck(problem) : new Wait(problem.message());
    }

    private String heldBack() {
        return Timetable.heldBackUntil(view)
                .map(opens -> "; a roll waits for the maintenance window, which opens at " + opens)
                .orElse("");
    }

    /** A stranger that quorum cannot do without, so that it stays and nobody else can come. */
    private static Optional<String> needed(Reachable reachable) {
        return reachable.voters().stream()
                .filter(voter -> !voter.healthy())
                .findFirst()
                .map(stranger ->
                        "Waiting for member %s, which is none of this cluster's peers and which quorum cannot spare"
                                .formatted(stranger.known()));
    }

    private boolean isWell(PeerView peer) {
        return view.podOf(peer).isPresent()
                && view.reachable()
                        .flatMap(reachable -> reachable.memberOn(peer.claimName()))
                        .map(MemberView::healthy)
                        .orElse(false);
    }

    private static String health(Reachable reachable) {
        return reachable.members().stream().filter(MemberView::healthy).count() + " of "
                + reachable.members().size() + " members are healthy";
    }
}
