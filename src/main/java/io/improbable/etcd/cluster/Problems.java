package io.improbable.etcd.cluster;

import io.improbable.etcd.domain.PeerName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** What is wrong with a cluster as far as Kubernetes shows it, the likeliest cause first. */
final class Problems {
    private Problems() {}

    static List<Problem> of(ClusterView view) {
        List<Problem> problems = new ArrayList<>();
        view.livingClaims().forEach(claim -> claim.problem().ifPresent(problems::add));
        for (PeerView peer : view.ownPeers()) {
            if (view.claim(peer.claimName()).isEmpty()) {
                problems.add(claimMissing(peer));
            }
            peer.problem().ifPresent(problems::add);
            view.podOf(peer.name())
                    .flatMap(PodView::problem)
                    .filter(problem -> !isVolumeInTheMaking(problem, view))
                    .ifPresent(problems::add);
        }
        if (!view.ownPeers().isEmpty()) {
            size(view).ifPresent(problems::add);
        }
        problems.sort(Comparator.comparing(Problem::kind));
        return problems;
    }

    /** The scheduler looks at a pod before its volume is there, at nearly every creation; that alone is no news. */
    private static boolean isVolumeInTheMaking(Problem problem, ClusterView view) {
        return view.hasJustBegun() && problem.message().contains("unbound immediate PersistentVolumeClaims");
    }

    private static Problem claimMissing(PeerView peer) {
        return new Problem(
                Problem.Kind.VolumeMissing,
                "Claim %s of %s is gone; an empty volume is not put in its place, because it would vote without its data"
                        .formatted(peer.claimName(), peer.name()));
    }

    private static Optional<Problem> size(ClusterView view) {
        int peers = view.ownPeers().size();
        int wanted = view.wish().replicas();
        if (peers > wanted) {
            return Optional.of(new Problem(
                    Problem.Kind.SizeDiffers,
                    "The volumes of %d members were found and all of them run, but spec.replicas is %d; this release does not change the size of a cluster"
                            .formatted(peers, wanted)));
        }
        List<String> withoutVolume = IntStream.range(0, wanted)
                .mapToObj(view.wish()::peer)
                .filter(name -> isWithoutVolume(name, view))
                .map(PeerName::toString)
                .toList();
        return withoutVolume.isEmpty()
                ? Optional.empty()
                : Optional.of(new Problem(
                        Problem.Kind.SizeDiffers,
                        "%s had no volume with data when the cluster was started again, so %d of %d members run; an empty volume must not vote"
                                .formatted(String.join(", ", withoutVolume), peers, wanted)));
    }

    /** A peer that is missing beside its volume is about to be made. */
    private static boolean isWithoutVolume(PeerName name, ClusterView view) {
        return view.livingClaims().stream().noneMatch(claim -> claim.peer().equals(name));
    }
}
