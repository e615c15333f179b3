package etcdoperator.cluster.membership;

import etcdoperator.cluster.step.MembershipStep.SetAside;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.step.Task;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.Operation;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.Roster;
import etcdoperator.domain.PeerName;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A learner whose etcd does not start: no node takes its pod, its image or its volume is not to be had. It may wait for
 * ever, but nothing else has to: etcd has one learner at a time, and members are restarted only beside members that are
 * well. So it is removed for what has to come before it, and added again after that, on the same claim.
 */
public final class UnstartedLearner {
    /** Where each of several does not start, they take turns, and not too often: so many times what a member may be away. */
    private static final int TURN = 6;

    private final ClusterView view;
    private final Roster roster;

    public UnstartedLearner(ClusterView view, Roster roster) {
        this.view = view;
        this.roster = roster;
    }

    /** @param blocksRestarts whether only this learner keeps members from being restarted */
    public Optional<Step> setAside(Predicate<MemberView> blocksRestarts) {
        return cutShort().or(() -> roster.everyVoterIsWell()
                ? roster.learners().stream()
                        .filter(roster::isOverdue)
                        .findFirst()
                        .flatMap(learner -> setAside(learner, blocksRestarts.test(learner)))
                : Optional.empty());
    }

    private Optional<Step> cutShort() {
        return view.ownPeers().stream()
                .filter(roster::isBeingSetAside)
                .findFirst()
                .map(peer -> new SetAside(
                        task(peer.name()),
                        peer.name(),
                        Optional.empty(),
                        peer.claimName(),
                        "Stopping %s, whose learner was removed before its etcd had started".formatted(peer.name())));
    }

    private Optional<Step> setAside(MemberView learner, boolean blocksRestarts) {
        return learner.peer().flatMap(view::ownPeer).flatMap(peer -> before(peer, blocksRestarts)
                .map(what -> new SetAside(
                        task(peer.name()),
                        peer.name(),
                        Optional.of(learner.id()),
                        peer.claimName(),
                        "Removing learner %s for now: its etcd has not started for longer than spec.recovery.memberTimeout, and %s; its claim %s is kept, and it is added again after that"
                                .formatted(peer.name(), what, peer.claimName()))));
    }

    /** What waits for this learner alone. */
    private Optional<String> before(PeerView learner, boolean blocksRestarts) {
        var admission = new Admission(view, roster);
        return admission
                .vacancies()
                .filter(slot -> !slot.equals(learner.name()) && isWorthATry(slot, admission))
                .findFirst()
                .map(slot -> "%s is to be added, while etcd has one learner at a time".formatted(slot))
                .or(() -> blocksRestarts
                        ? Optional.of("other members are to be restarted with other settings")
                        : Optional.empty());
    }

    private boolean isWorthATry(PeerName slot, Admission admission) {
        return admission
                .setAsideAt(slot)
                .map(at -> !at.plus(view.wish().memberTimeout().multipliedBy(TURN))
                        .isAfter(view.now()))
                .orElse(true);
    }

    /** Of what is under way, where that is about members. */
    private Task task(PeerName peer) {
        return view.memory()
                .operation()
                .filter(Operation::changesMembers)
                .map(operation -> new Task(operation.type(), operation.target()))
                .orElseGet(() -> Task.replace(peer));
    }
}
