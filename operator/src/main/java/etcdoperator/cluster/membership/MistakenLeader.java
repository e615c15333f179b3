package etcdoperator.cluster.membership;

import etcdoperator.cluster.step.MembershipStep.MoveFromMistakenLeader;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.step.Task;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.Membership.Role;
import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Roster;
import etcdoperator.domain.MemberId;
import etcdoperator.etcd.MetricsHistory;
import etcdoperator.etcd.MetricsHistory.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A leader that counts a healthy voter as disconnected refuses every addition of a member, and removals of healthy ones.
 * A request on an old connection that fails late has this effect in etcd, and only the end of the new connections would
 * undo it. The cure is another leader, which counts every voter as connected.
 */
public final class MistakenLeader {
    /** Two such times and the time for requests that were under way. */
    private static final int ELECTIONS = 3;

    private static final Duration MARGIN = Duration.ofSeconds(2);

    private static final Duration FRESH = Duration.ofSeconds(10);

    private final ClusterView view;
    private final Roster roster;
    private final Duration patience;

    public MistakenLeader(ClusterView view, Roster roster) {
        this.view = view;
        this.roster = roster;
        this.patience = view.wish().electionTimeout().multipliedBy(ELECTIONS).plus(MARGIN);
    }

    /** @param since since when each of the two has said what it says, and the leader has been the leader */
    private record Mistake(MemberView leader, MemberView voter, Instant since) {}

    /** Part of the operation that etcd refuses. Its leader has led for the same time, so it is moved once in that time. */
    public Optional<Step> next() {
        return view.memory()
                .operation()
                .flatMap(operation -> lasting()
                        .flatMap(mistake -> successor(mistake.leader())
                                .map(successor -> new MoveFromMistakenLeader(
                                        new Task(operation.type(), operation.target()),
                                        mistake.leader().known(),
                                        successor.id(),
                                        successor.known(),
                                        "Moving leadership from %s to %s: %s counts %s as disconnected, although both are healthy and connected, and etcd refuses to add or remove members meanwhile"
                                                .formatted(
                                                        mistake.leader().known(),
                                                        successor.known(),
                                                        mistake.leader().known(),
                                                        mistake.voter().known())))));
    }

    /** Why a mistaken leader stays. */
    public static Optional<Problem> withoutCure(ClusterView view) {
        return Roster.of(view)
                .map(roster -> new MistakenLeader(view, roster))
                .flatMap(leader -> leader.lasting()
                        .filter(mistake -> leader.successor(mistake.leader()).isEmpty()))
                .map(mistake -> new Problem(
                        Problem.Kind.LeaderMistaken,
                        "The leader %s counts %s as disconnected, although both are healthy, so etcd refuses to add or remove members. The operator would move leadership, and waits for another voter that is connected to all healthy voters: look for lost connections between the pods on port 2380, or restart pod %s"
                                .formatted(
                                        mistake.leader().known(),
                                        mistake.voter().known(),
                                        mistake.leader().known())));
    }

    /** When a mistake that was seen will have lasted for long enough. */
    public static Optional<Instant> dueAt(ClusterView view) {
        return Roster.of(view)
                .map(roster -> new MistakenLeader(view, roster))
                .flatMap(leader -> leader.mistakes()
                        .map(mistake -> mistake.since().plus(leader.patience))
                        .filter(due -> due.isAfter(view.now()))
                        .min(Comparator.naturalOrder()));
    }

    private Optional<Mistake> lasting() {
        return mistakes().filter(mistake -> isLongAgo(mistake.since())).findFirst();
    }

    private Stream<Mistake> mistakes() {
        return roster.voters().stream()
                .filter(member -> member.role() == Role.LEADER)
                .flatMap(leader -> metrics(leader).stream()
                        .flatMap(metrics -> metrics.leadsSince().stream()
                                .flatMap(since -> roster.voters().stream()
                                        .flatMap(voter -> mistake(leader, metrics, since, voter).stream()))));
    }

    private Optional<Mistake> mistake(MemberView leader, MetricsHistory metrics, Instant leadsSince, MemberView voter) {
        Optional<Connection> there = metrics.connection(voter.id()).filter(connection -> !connection.active());
        Optional<Connection> back =
                metrics(voter).flatMap(own -> own.connection(leader.id())).filter(Connection::active);
        return there.flatMap(broken -> back.map(working -> new Mistake(
                leader,
                voter,
                Stream.of(broken.since(), working.since(), leadsSince)
                        .max(Comparator.naturalOrder())
                        .orElseThrow())));
    }

    /** One that has counted every healthy voter as connected for as long: else it might be moved from there, too. */
    private Optional<MemberView> successor(MemberView leader) {
        return roster.voters().stream()
                .filter(voter -> !voter.id().equals(leader.id()))
                .filter(voter ->
                        metrics(voter).filter(this::countsAllAsConnected).isPresent())
                .min(Comparator.comparing(MemberView::known));
    }

    private boolean countsAllAsConnected(MetricsHistory metrics) {
        return roster.voters().stream()
                .filter(MemberView::healthy)
                .map(MemberView::id)
                .filter(id -> !isOwn(id, metrics))
                .allMatch(id -> metrics.connection(id)
                        .filter(connection -> connection.active() && isLongAgo(connection.since()))
                        .isPresent());
    }

    private static boolean isOwn(MemberId id, MetricsHistory metrics) {
        return metrics.member().equals(Optional.of(id));
    }

    /** Of a member that is well, if they are recent. */
    private Optional<MetricsHistory> metrics(MemberView member) {
        return member.metrics().filter(metrics -> member.healthy() && metrics.isFresh(view.now(), FRESH));
    }

    private boolean isLongAgo(Instant since) {
        return !since.plus(patience).isAfter(view.now());
    }
}
