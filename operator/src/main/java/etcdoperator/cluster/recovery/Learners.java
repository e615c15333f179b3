package etcdoperator.cluster.recovery;

import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClaimView.Contents;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.domain.MemberId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Members that were added as learners and are not lost. Lists may be older than a promotion, so a learner may have a vote
 * unless its claim records that the operator has not requested one. Somebody else may have: that is in the logs of voters.
 */
final class Learners {
    private final ClusterView view;
    private final DataLoss data;
    private final List<Voter> everyone;
    private final Set<MemberId> lost;
    private final Set<MemberId> listed;

    Learners(ClusterView view, DataLoss data, List<Voter> everyone, Set<MemberId> lost, Set<MemberId> listed) {
        this.view = view;
        this.data = data;
        this.everyone = everyone;
        this.lost = lost;
        this.listed = listed;
    }

    /** A learner that may be left. @param claim empty for one that was added by hand */
    private record Learner(String known, Optional<ClaimView> claim) {
        boolean isOn(Collection<String> claims) {
            return claim.filter(found -> claims.contains(found.name())).isPresent();
        }

        String told() {
            return claim.map(found -> "%s on claim %s (%s)".formatted(known, found.name(), why(found)))
                    .orElseGet(() -> "%s (it is on no claim of this cluster)".formatted(known));
        }

        private static String why(ClaimView claim) {
            return switch (claim.promotion().orElse(null)) {
                case null -> "nothing records that no promotion was requested";
                case NOT_REQUESTED -> "no disk has confirmed that it was not promoted";
                case REQUESTED -> "a promotion was requested";
                case FOUND -> "its promotion is in the log of a member";
            };
        }
    }

    /** Claims of those whose promotion the operator has not requested. */
    List<String> withoutVote() {
        return left().flatMap(learner -> learner.claim().stream())
                .filter(ClaimView::learns)
                .map(ClaimView::name)
                .toList();
    }

    /** Whether lists are as new as claims: one that does not name a learner may name voters that are none any more. */
    boolean areListed() {
        return unlisted().findAny().isEmpty() && known().allMatch(voter -> listed.contains(voter.id()));
    }

    /** Those that may have a vote, in words. @param withoutVote claims of others */
    List<String> undecided(Collection<String> withoutVote) {
        return left().filter(learner -> !learner.isOn(withoutVote))
                .map(Learner::told)
                .toList();
    }

    private Stream<Learner> left() {
        return Stream.concat(known().map(voter -> new Learner(voter.known(), data.claimOf(voter))), unlisted());
    }

    private Stream<Voter> known() {
        return everyone.stream().filter(voter -> !voter.votes() && !lost.contains(voter.id()));
    }

    /** A member is added after its claim is made; nobody may have heard of it since. */
    private Stream<Learner> unlisted() {
        List<String> known = everyone.stream()
                .flatMap(voter -> data.claimOf(voter).stream())
                .map(ClaimView::name)
                .toList();
        return view.livingClaims().stream()
                .filter(claim -> claim.contents() instanceof Contents.Joining && !known.contains(claim.name()))
                .filter(claim -> data.of(claim).isEmpty())
                .map(claim -> new Learner(claim.peer().toString(), Optional.of(claim)));
    }
}
