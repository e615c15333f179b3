package etcdoperator.cluster.recovery;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import etcdoperator.cluster.membership.Loss;
import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClaimView.Contents;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.Membership.Reachable;
import etcdoperator.cluster.view.Membership.Role;
import etcdoperator.cluster.view.Membership.Unreachable;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.RecoveryView;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Quorum;
import etcdoperator.manifest.Recoveries.Blanks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Who is lost for good, and whether those who may be left could ever be a quorum. Lost is only whose data is gone: the
 * claim, the volume, what was on it, or the nodes that alone could have it. Silence proves nothing, and whoever cannot
 * be judged counts as alive: a recovery beside members that live would make two clusters of one.
 */
public final class Casualties {
    private final ClusterView view;
    private final List<List<Voter>> lists;
    private final Map<MemberId, Voter> everyone = new LinkedHashMap<>();
    private final Map<MemberId, String> lost = new LinkedHashMap<>();

    /**
     * A member as somebody remembers it.
     *
     * @param known its name for people
     * @param claimName the claim it is called by, where that is told
     * @param votes whether it does, or is still learning
     */
    private record Voter(MemberId id, String known, Optional<String> claimName, boolean votes) {}

    /** A member whose data is left. @param revision up to which it goes, where it tells */
    public record Survivor(String known, String claimName, Optional<Long> revision) {}

    private Casualties(ClusterView view) {
        this.view = view;
        this.lists = Stream.of(told(view), remembered(view))
                .filter(list -> list.stream().anyMatch(Voter::votes))
                .toList();
        Stream.concat(lists.stream().flatMap(List::stream), unlisted()).forEach(this::count);
        everyone.values().forEach(voter -> loss(voter).ifPresent(why -> lost.put(voter.id(), why)));
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
                .map(member -> new Voter(member.id(), member.known(), Optional.empty(), member.votes()))
                .toList();
    }

    /** Whoever was seen on a claim may have been let in since anybody wrote a list. */
    private Stream<Voter> unlisted() {
        Set<MemberId> listed =
                lists.stream().flatMap(List::stream).map(Voter::id).collect(toSet());
        Optional<ClusterId> cluster = view.memory().clusterId();
        return view.livingClaims().stream()
                .flatMap(claim -> claim
                        .held()
                        .filter(held ->
                                Optional.of(held.clusterId()).equals(cluster) && !listed.contains(held.memberId()))
                        .map(held ->
                                new Voter(held.memberId(), claim.peer().toString(), Optional.of(claim.name()), true))
                        .stream());
    }

    /**
     * Whether, by every list that there is, no quorum can come back. A learner may have got its vote since, and then the
     * others would need one more.
     */
    boolean areMajority() {
        boolean answered = view.reachable().filter(Reachable::quorumAnswers).isPresent();
        int votes = (int) left().filter(Voter::votes).count();
        int learners = (int) left().filter(voter -> !voter.votes()).count();
        return !answered
                && view.memory().clusterId().isPresent()
                && !lists.isEmpty()
                && lists.stream()
                        .mapToInt(
                                list -> (int) list.stream().filter(Voter::votes).count())
                        .noneMatch(size -> new Quorum(size + learners).metBy(votes + learners));
    }

    /** The same, if nobody was let in that no list has as a voter. Only a person can know. */
    boolean mayBeMajority() {
        boolean answered = view.reachable().filter(Reachable::quorumAnswers).isPresent();
        return !answered
                && view.memory().clusterId().isPresent()
                && !lists.isEmpty()
                && lists.stream().noneMatch(this::isQuorumLeftOf);
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

    /** Voters whose data can be gone on from. A learner may have next to nothing. */
    public List<Survivor> survivors() {
        List<Survivor> survivors = new ArrayList<>();
        left().filter(Voter::votes)
                .forEach(voter -> claimOf(voter)
                        .filter(claim -> !claim.deleting())
                        .ifPresent(
                                claim -> survivors.add(new Survivor(voter.known(), claim.name(), revisionOf(voter)))));
        return survivors;
    }

    /** Claims of voters that are left, and only until their pods end. */
    List<String> doomed() {
        return left().filter(Voter::votes)
                .flatMap(voter -> claimOf(voter).stream())
                .filter(ClaimView::deleting)
                .map(ClaimView::name)
                .toList();
    }

    private Optional<Long> revisionOf(Voter voter) {
        return switch (view.membership()) {
            case Reachable reachable ->
                reachable
                        .member(voter.id())
                        .map(member -> member.store().revision())
                        .filter(revision -> revision > 0);
            case Unreachable(String why, var depths) -> slot(voter).map(depths::get);
        };
    }

    /** Claims that only a pod can tell of: once it has ended, nobody would know that there is nothing on them. */
    Blanks blanks() {
        List<ClaimView> blank = everyone.values().stream()
                .filter(voter -> lost.containsKey(voter.id()))
                .flatMap(voter -> claimOf(voter).stream())
                .filter(claim -> !claim.deleting()
                        && claim.problem().flatMap(Loss::ofData).isEmpty())
                .toList();
        return new Blanks(
                blank.stream().map(ClaimView::name).toList(),
                blank.stream()
                        .filter(claim -> podsOn(claim).stream()
                                .flatMap(pod -> pod.problem().stream())
                                .anyMatch(problem -> problem.kind() == Problem.Kind.VolumeEmpty))
                        .map(ClaimView::name)
                        .toList());
    }

    /** Only for as long as no pod may look again, and not of a claim that somebody has brought back since. */
    private boolean wasWithoutData(ClaimView claim) {
        return view.recoveries().stream()
                .filter(recovery -> recovery.state() == RecoveryView.State.UNDER_WAY
                        && !claim.createdAt().isAfter(recovery.createdAt()))
                .filter(recovery -> view.memory().clusterId().equals(Optional.of(recovery.lost())))
                .anyMatch(recovery -> recovery.withoutData().contains(claim.name()));
    }

    private Optional<String> loss(Voter voter) {
        Optional<ClaimView> claim = claimOf(voter);
        if (speaks(voter.id()) || runs(voter, claim) || hasData(voter, claim)) {
            return Optional.empty();
        }
        return claim.isPresent()
                ? loss(claim.get())
                : isOurs(voter) ? Optional.of("its claim is gone") : Optional.empty();
    }

    /** Whose pod is ready has its data, whatever became of the claim. */
    private boolean runs(Voter voter, Optional<ClaimView> claim) {
        Optional<String> name = claim.map(ClaimView::name)
                .or(voter::claimName)
                .or(() -> slot(voter).flatMap(view::ownPeer).map(PeerView::claimName));
        return name.isPresent()
                && view.pods().stream()
                        .anyMatch(pod -> pod.ready() && pod.claimName().equals(name.get()));
    }

    /** Who has found nothing on its volume once may have been started again since, and answers nobody without a quorum. */
    private boolean hasData(Voter voter, Optional<ClaimView> claim) {
        return claim.filter(found -> !podsOn(found).isEmpty()).isPresent()
                && revisionOf(voter).isPresent();
    }

    private List<PodView> podsOn(ClaimView claim) {
        return view.pods().stream()
                .filter(pod -> pod.claimName().equals(claim.name()))
                .toList();
    }

    private boolean speaks(MemberId id) {
        return view.reachable()
                .flatMap(reachable -> reachable.member(id))
                .flatMap(MemberView::version)
                .isPresent();
    }

    /**
     * A claim that is being deleted keeps its data for as long as a pod has it. What a pod said whose node is silent now,
     * was said before the node went down, and may come back with it otherwise.
     */
    private Optional<String> loss(ClaimView claim) {
        List<PodView> pods = podsOn(claim);
        if (claim.deleting() && pods.isEmpty()) {
            return Optional.of("its claim is being deleted");
        }
        return claim.problem()
                .filter(problem -> Loss.ofData(problem).isPresent())
                .map(Problem::message)
                .or(() -> pods.stream()
                        .filter(pod ->
                                pod.node().filter(view.nodesDown()::contains).isEmpty())
                        .flatMap(pod -> pod.problem().stream())
                        .flatMap(problem -> Loss.ofData(problem).stream())
                        .findFirst())
                .or(() -> wasWithoutData(claim)
                        ? Optional.of("there was no data on its volume when the recovery began")
                        : Optional.empty());
    }

    /** The one it was seen on, or else the one that was made for it. */
    private Optional<ClaimView> claimOf(Voter voter) {
        return view.claims().stream()
                .filter(claim -> claim.contents() instanceof Contents.Held held
                        && held.memberId().equals(voter.id()))
                .findFirst()
                .or(() -> voter.claimName().flatMap(view::claim))
                .or(() -> slot(voter)
                        .flatMap(slot -> view.livingClaims().stream()
                                .filter(claim -> claim.peer().equals(slot) && !claim.heldData())
                                .findFirst()));
    }

    /** A member that was added by hand has its data elsewhere, whatever it is called. */
    private boolean isOurs(Voter voter) {
        return view.reachable()
                .flatMap(reachable -> reachable.member(voter.id()))
                .map(member -> member.claimName().isPresent())
                .orElseGet(() -> slot(voter).isPresent());
    }

    private Optional<PeerName> slot(Voter voter) {
        return PeerName.tryParse(voter.known())
                .filter(peer -> peer.cluster().equals(view.wish().key().name()));
    }
}
