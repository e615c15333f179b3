package etcdoperator.cluster.membership;

import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.domain.PeerName;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Names for claims: that of the peer first, and another for each replacement, so that an old claim blocks nothing.
 * After a restore in place old claims have the plain names and are out of sight, so that these are used no more.
 */
final class ClaimNames {
    private ClaimNames() {}

    static String next(ClusterView view, PeerName peer) {
        Optional<String> seed = view.wish().claimSeed();
        if (seed.isEmpty() && !wasRestoredInPlace(view) && isFree(view, peer.toString())) {
            return peer.toString();
        }
        return IntStream.iterate(1, attempt -> attempt + 1)
                .mapToObj(attempt -> peer.claimWith(seed.orElse(view.wish().uid()) + "/" + peer + "/" + attempt))
                .filter(name -> isFree(view, name))
                .findFirst()
                .orElseThrow();
    }

    /** Which a cluster that was made anew since does not remember: then nobody has a plain name. */
    private static boolean wasRestoredInPlace(ClusterView view) {
        return view.claims().stream().anyMatch(claim -> claim.restored() && !isPlain(claim))
                || (!view.claims().isEmpty() && view.claims().stream().noneMatch(ClaimNames::isPlain));
    }

    private static boolean isPlain(ClaimView claim) {
        return claim.name().equals(claim.peer().toString());
    }

    private static boolean isFree(ClusterView view, String name) {
        return view.claim(name).isEmpty() && !view.isInUse(name);
    }
}
