package io.improbable.etcd.cluster;

import io.improbable.etcd.cluster.Membership.MemberView;
import io.improbable.etcd.cluster.Membership.Role;
import io.improbable.etcd.cluster.Step.MoveLeader;
import io.improbable.etcd.cluster.Step.Relist;
import io.improbable.etcd.cluster.Step.Stuck;
import io.improbable.etcd.cluster.Step.Wait;
import io.improbable.etcd.domain.Scheme;
import io.improbable.etcd.manifest.Transports;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Brings every pod to what the cluster asks for, one at a time: the highest ordinal first, the leader last and only
 * after it has handed over. The next one waits until the one before runs what it should and is well.
 */
final class Roll {
    private final ClusterView view;
    private final Roster roster;
    private final Renewal renewal;

    Roll(ClusterView view, Roster roster) {
        this.view = view;
        this.roster = roster;
        this.renewal = new Renewal(view);
    }

    Optional<Step> next() {
        List<PeerView> behind =
                view.ownPeers().stream().filter(renewal::isBehind).toList();
        boolean allWell = view.ownPeers().stream().allMatch(this::isWell);
        if (!allWell || !roster.learners().isEmpty()) {
            return Optional.empty();
        }
        if (behind.isEmpty()) {
            return new VersionMove(view, roster).cancelDowngrade();
        }
        if (isHeldBack(view)) {
            return Optional.empty();
        }
        return view.wish()
                .mistake()
                .map(mistake -> new Problem(Problem.Kind.SettingsRefused, mistake))
                .or(() -> view.tls().problem())
                .<Step>map(Stuck::new)
                .or(() -> prepared(behind));
    }

    private Optional<Step> prepared(List<PeerView> behind) {
        return new VersionMove(view, roster).preparation().or(() -> Optional.of(turn(inTurn(behind))));
    }

    /** Outside of the maintenance window nothing is begun; what was begun before is brought to its end. */
    static boolean isHeldBack(ClusterView view) {
        return !view.wish().maintenance().isOpenAt(view.now())
                && view.memory().operation().filter(Operation::restartsMembers).isEmpty();
    }

    /** Who was begun with first, so that never two have new settings and an old pod. */
    private PeerView inTurn(List<PeerView> behind) {
        return behind.stream()
                .max(Comparator.comparing(renewal::isBegun)
                        .thenComparing(peer -> !leads(peer))
                        .thenComparing(PeerView::name))
                .orElseThrow();
    }

    private Step turn(PeerView peer) {
        boolean ready = renewal.isBegun(peer) && renewal.isTemplateCurrent(peer);
        return roster.member(peer)
                .filter(member -> ready)
                .flatMap(member -> handOver(member).or(() -> relist(peer, member)))
                .or(() -> renewal.of(peer))
                .orElseGet(() -> new Wait("Waiting for %s to take up its new settings".formatted(peer.name())));
    }

    /** To one that is restarted already, so that leadership moves once. */
    private Optional<Step> handOver(MemberView leaver) {
        return roster.successor(leaver, this::isDone)
                .map(successor -> new MoveLeader(
                        renewal.task(),
                        leaver.known(),
                        successor.id(),
                        successor.known(),
                        "Moving leadership from %s to %s, because %s is restarted"
                                .formatted(leaver.known(), successor.known(), leaver.known())));
    }

    /** Just before the restart: until then the others keep the connections they have. */
    private Optional<Step> relist(PeerView peer, MemberView member) {
        Scheme scheme = Transports.between(peer.setup().tls());
        return member.scheme() == scheme
                ? Optional.empty()
                : Optional.of(new Relist(
                        renewal.task(),
                        peer.name(),
                        member.id(),
                        scheme,
                        peer.claimName(),
                        "Telling the members that %s is reached by %s".formatted(peer.name(), scheme.word())));
    }

    /** Where a pod came up otherwise than its member is listed, the others look for it in vain. */
    Optional<Step> relistStray() {
        return view.ownPeers().stream()
                .filter(peer -> view.podOf(peer)
                        .filter(pod -> pod.transport().peer().scheme()
                                == Transports.between(peer.setup().tls()))
                        .isPresent())
                .flatMap(peer -> roster.member(peer).flatMap(member -> relist(peer, member)).stream())
                .findFirst();
    }

    private boolean isDone(MemberView member) {
        return member.peer()
                .flatMap(view::ownPeer)
                .filter(peer -> !renewal.isBehind(peer))
                .isPresent();
    }

    private boolean isWell(PeerView peer) {
        return view.podOf(peer).isPresent()
                && roster.member(peer).map(MemberView::healthy).orElse(false);
    }

    private boolean leads(PeerView peer) {
        return roster.member(peer)
                .filter(member -> member.role() == Role.LEADER)
                .isPresent();
    }
}
