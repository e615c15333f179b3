package etcdoperator.cluster.status;

import static java.util.stream.Collectors.joining;

import etcdoperator.api.OperationType;
import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Roster;
import etcdoperator.domain.PeerName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** What is wrong with a cluster as far as Kubernetes shows it, the likeliest cause first. */
public final class Problems {
    private Problems() {}

    public static List<Problem> of(ClusterView view) {
        List<Problem> problems = new ArrayList<>();
        view.wish().mistake().ifPresent(why -> problems.add(new Problem(Problem.Kind.SettingsRefused, why)));
        view.tls().problem().ifPresent(problems::add);
        view.auth().problem().ifPresent(problems::add);
        view.auth().remark().ifPresent(problems::add);
        view.livingClaims().forEach(claim -> claim.problem().ifPresent(problems::add));
        withoutVolumes(view).ifPresent(problems::add);
        for (PeerView peer : view.ownPeers()) {
            if (peer.stopped()) {
                continue;
            }
            claimGoes(peer, view).ifPresent(problems::add);
            peer.problem().ifPresent(problems::add);
            view.podOf(peer)
                    .flatMap(PodView::problem)
                    .filter(problem -> !isVolumeInTheMaking(problem, view))
                    .ifPresent(problems::add);
        }
        problems.sort(Comparator.comparing(Problem::kind));
        return problems;
    }

    /** The scheduler looks at a pod before its volume is there, at nearly every creation; that alone is no news. */
    private static boolean isVolumeInTheMaking(Problem problem, ClusterView view) {
        return view.hasJustBegun() && problem.message().contains("unbound immediate PersistentVolumeClaims");
    }

    /** A cluster that was started again on some of its volumes may never have its quorum. */
    private static Optional<Problem> withoutVolumes(ClusterView view) {
        boolean resumed = view.memory()
                .operation()
                .filter(operation -> operation.type() == OperationType.RESUME)
                .isPresent();
        if (!resumed || Roster.of(view).isPresent() || view.ownPeers().isEmpty() || startsRestored(view)) {
            return Optional.empty();
        }
        String missing = IntStream.range(0, view.wish().replicas())
                .mapToObj(view.wish()::peer)
                .filter(slot ->
                        view.claims().stream().noneMatch(claim -> claim.peer().equals(slot)))
                .map(PeerName::toString)
                .collect(joining(", "));
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(new Problem(
                        Problem.Kind.VolumeMissing,
                        "%s had no volume with data when the cluster was started again, so %d of %d members run, and they are no quorum yet; an empty volume must not vote"
                                .formatted(
                                        missing,
                                        view.ownPeers().stream()
                                                .filter(peer -> view.claim(peer.claimName())
                                                        .isPresent())
                                                .count(),
                                        view.wish().replicas())));
    }

    /** A restore makes a cluster of one, which grows once it has come up. */
    private static boolean startsRestored(ClusterView view) {
        return view.isStarting()
                && view.claims().size() == 1
                && view.claims().getFirst().restored();
    }

    /** Told only where the member is not replaced at once: others are missing, too, or there are none. */
    private static Optional<Problem> claimGoes(PeerView peer, ClusterView view) {
        Optional<ClaimView> claim = view.claim(peer.claimName());
        if (claim.isPresent() && !claim.get().deleting()) {
            return Optional.empty();
        }
        return Optional.of(new Problem(
                Problem.Kind.VolumeMissing,
                claim.isPresent()
                        ? "Claim %s of %s is being deleted, and its data goes when its pod ends; %s"
                                .formatted(
                                        peer.claimName(),
                                        peer.name(),
                                        view.ownPeers().size() == 1
                                                ? "scale up now, so that other members have the data, too"
                                                : "the member is replaced once the others are a healthy quorum without it")
                        : "Claim %s of %s is gone; an empty volume is not put in its place, because it would vote without its data, and the member is replaced once the others are a healthy quorum"
                                .formatted(peer.claimName(), peer.name())));
    }
}
