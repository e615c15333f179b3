package etcdoperator.cluster.recovery;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import etcdoperator.cluster.membership.Loss;
import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Membership.Reachable;
import etcdoperator.cluster.view.Membership.Role;
import etcdoperator.cluster.view.Problem;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.Quorum;
import etcdoperator.manifest.Recoveries.Blanks;
import etcdoperator.manifest.Recoveries.Votes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Who is lost for good, and whether those who may be left could ever be a quorum. A member whose state is unknown counts
 * as alive: a recovery next to live members would make two clusters of one.
 */
public final class Casualties {
    private final ClusterView view;
    private final DataLoss data;
    private final List<List<Voter>> lists;
    private final Map<MemberId, Voter> everyone = new LinkedHashMap<>();
    private final Map<MemberId, String> lost = new LinkedHashMap<>();
    private final Learners learners;

    /** A member whose data is left. @param revision up to which it goes, where it tells */
    public record Survivor(String known, String claimName, Optional<Long> revision) {}

    private Casualties(ClusterView view) {
        this.view = view;
        this.data = new DataLoss(view);
        this.lists = Stream.of(told(view), remembered(view))
                .filter(list -> list.stream().anyMatch(Voter::votes))
                .toList();
        Stream.concat(lists.stream().flatMap(List::stream), unlisted()).forEach(this::count);
        everyone.values().forEach(voter -> data.of(voter).ifPresent(why -> lost.put(voter.id(), why)));
        this.learners = new Learners(view, data, List.copyOf(everyone.values()), lost.keySet(), listed());
    }

    static Casualties of(ClusterView view) {
        return new Casualties(view);
    }

    /** One who votes by any account may vote. */
    private void count(Voter voter) {
        everyone.merge(voter.id(), voter, (one, other) -> one.votes() ? one : other);
    }

    private static List<Voter> told(ClusterView view) {
        return view.reachable().map(Reachable::members).orElse(List.of()).stream()
                .map(member ->
                        new Voter(member.id(), member.known(), member.claimName(), member.role() != Role.LEARNER))
                .toList();
    }

    private static List<Voter> remembered(ClusterView view) {
        return view.memory().members().stream()
                .map(member -> new Voter(member.id(), member.known(), member.claimName(), member.votes()))
                .toList();
    }

    /** Whoever was seen on a claim may have been let in since anybody wrote a list, and promoted unless the claim says no. */
    private Stream<Voter> unlisted() {
        Set<MemberId> listed = listed();
        Optional<ClusterId> cluster = view.memory().clusterId();
        return view.livingClaims().stream()
                .flatMap(claim -> claim
                        .held()
                        .filter(held ->
                                Optional.of(held.clusterId()).equals(cluster) && !listed.contains(held.memberId()))
                        .map(held -> new Voter(
                                held.memberId(), claim.peer().toString(), Optional.of(claim.name()), !claim.learns()))
                        .stream());
    }

    private Set<MemberId> listed() {
        return lists.stream().flatMap(List::stream).map(Voter::id).collect(toSet());
    }

    /**
     * Whether, by every list that there is, no quorum can come back. A learner that may have got its vote since counts:
     * then the others would need one more.
     */
    boolean areMajority() {
        return areMajority(learners.withoutVote());
    }

    /** @param withoutVote claims of learners that do not count */
    boolean areMajority(Collection<String> withoutVote) {
        int votes = (int) left().filter(Voter::votes).count();
        int undecided = learners.undecided(withoutVote).size();
        return isJudged()
                && current()
                        .mapToInt(
                                list -> (int) list.stream().filter(Voter::votes).count())
                        .noneMatch(size -> new Quorum(size + undecided).metBy(votes + undecided));
    }

    /** The same, if nobody was let in that no list has as a voter. Only a person can know. */
    boolean mayBeMajority() {
        return isJudged() && current().noneMatch(this::isQuorumLeftOf);
    }

    private boolean isJudged() {
        boolean answered = view.reachable().filter(Reachable::quorumAnswers).isPresent();
        return !answered && view.memory().clusterId().isPresent() && !lists.isEmpty();
    }

    /** Lists of which no other is known to be newer. */
    private Stream<List<Voter>> current() {
        return lists.stream().filter(list -> lists.stream().noneMatch(other -> isNewer(other, list)));
    }

    /** A member is promoted once and never becomes a learner again. */
    private static boolean isNewer(List<Voter> one, List<Voter> other) {
        return votesOnlyIn(one, other) && !votesOnlyIn(other, one);
    }

    private static boolean votesOnlyIn(List<Voter> one, List<Voter> other) {
        return one.stream()
                .filter(Voter::votes)
                .anyMatch(voter -> other.stream().anyMatch(same -> same.id().equals(voter.id()) && !same.votes()));
    }

    private boolean isQuorumLeftOf(List<Voter> list) {
        List<Voter> voters = list.stream().filter(Voter::votes).toList();
        return new Quorum(voters.size()).metBy((int)
                voters.stream().filter(voter -> !lost.containsKey(voter.id())).count());
    }

    private Stream<Voter> left() {
        return everyone.values().stream().filter(voter -> !lost.containsKey(voter.id()));
    }

    /** Each by name, with the reason. */
    String told() {
        return everyone.values().stream()
                .filter(voter -> voter.votes() && lost.containsKey(voter.id()))
                .map(voter -> "%s (%s)".formatted(voter.known(), lost.get(voter.id())))
                .collect(joining(", ", "Too many voters are lost for good to be a quorum again: ", ""));
    }

    /** Learners that may have a vote, each with the reason. */
    String undecided() {
        return String.join(", ", learners.undecided(learners.withoutVote()));
    }

    /** Claims of learners that count as having no vote. */
    List<String> withoutVote() {
        return learners.withoutVote();
    }

    /** What has to be confirmed by disks, because the loss is one of a majority only if these learners have no vote. */
    Votes votes() {
        return areMajority(List.of()) && learners.areListed()
                ? Votes.CERTAIN
                : new Votes(
                        everyone.values().stream()
                                .filter(Voter::votes)
                                .map(Voter::id)
                                .toList(),
                        learners.withoutVote());
    }

    /** Voters whose data can be gone on from. A learner may have next to nothing. */
    public List<Survivor> survivors() {
        List<Survivor> survivors = new ArrayList<>();
        left().filter(Voter::votes)
                .forEach(voter -> data.claimOf(voter)
                        .filter(claim -> !claim.deleting())
                        .ifPresent(claim ->
                                survivors.add(new Survivor(voter.known(), claim.name(), data.revisionOf(voter)))));
        return survivors;
    }

    /** Claims of voters that are left, and only until their pods end. */
    List<String> doomed() {
        return left().filter(Voter::votes)
                .flatMap(voter -> data.claimOf(voter).stream())
                .filter(ClaimView::deleting)
                .map(ClaimView::name)
                .toList();
    }

    /** Claims that only a pod can tell of: once it has ended, nobody would know that there is nothing on them. */
    Blanks blanks() {
        List<ClaimView> blank = everyone.values().stream()
                .filter(voter -> lost.containsKey(voter.id()))
                .flatMap(voter -> data.claimOf(voter).stream())
                .filter(claim -> !claim.deleting()
                        && claim.problem().flatMap(Loss::ofData).isEmpty())
                .toList();
        return new Blanks(
                blank.stream().map(ClaimView::name).toList(),
                blank.stream()
                        .filter(claim -> data.podsOn(claim).stream()
                                .flatMap(pod -> pod.problem().stream())
                                .anyMatch(problem -> problem.kind() == Problem.Kind.VolumeEmpty))
                        .map(ClaimView::name)
                        .toList());
    }
}
