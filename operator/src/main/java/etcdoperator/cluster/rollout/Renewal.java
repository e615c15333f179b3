package etcdoperator.cluster.rollout;

import etcdoperator.api.OperationType;
import etcdoperator.cluster.step.RolloutStep.Renew;
import etcdoperator.cluster.step.RolloutStep.Restart;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.step.Task;
import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.Membership.Reachable;
import etcdoperator.cluster.view.Operation;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.domain.EtcdVersion;
import java.util.Optional;

/** How one peer comes to what the cluster asks for: its spec first, then the template of its pods, then its pod. */
public final class Renewal {
    private final ClusterView view;
    private final String wanted;

    public Renewal(ClusterView view) {
        this.view = view;
        this.wanted = view.wish().settings();
    }

    public boolean isBehind(PeerView peer) {
        return !isBegun(peer)
                || (!peer.stopped()
                        && (!isTemplateCurrent(peer)
                                || view.podOf(peer).filter(this::isOld).isPresent()));
    }

    boolean isBegun(PeerView peer) {
        return peer.setup().settings().equals(wanted);
    }

    boolean isTemplateCurrent(PeerView peer) {
        return peer.setup().templateSettings().equals(wanted);
    }

    /** One that an older operator made carries no mark until it is behind: a newer operator alone restarts nobody. */
    private boolean isOld(PodView pod) {
        return !pod.settings().isEmpty() && !pod.settings().equals(wanted);
    }

    /** The next step of this peer; empty while its template or its next pod is on the way. */
    Optional<Step> of(PeerView peer) {
        if (!isBegun(peer)) {
            return Optional.of(new Renew(task(), peer.name(), reason(peer)));
        }
        return view.podOf(peer)
                .filter(pod -> isTemplateCurrent(peer) && isOld(pod))
                .map(pod -> new Restart(
                        task(),
                        peer.name(),
                        pod.name(),
                        "Restarting %s with %s".formatted(peer.name(), isVersion() ? wish() : "its new settings")));
    }

    /**
     * A pod that does not come up is brought to what is asked for at once, whoever else is unwell: nothing is lost by
     * ending what does not run, and the change may be what mends it.
     */
    public Optional<Step> mend() {
        if (view.wish().mistake().isPresent()) {
            return Optional.empty();
        }
        return view.ownPeers().stream()
                .filter(peer -> !peer.stopped() && isBehind(peer) && !runs(peer) && !answers(peer) && mayTry(peer))
                .filter(this::isStillFound)
                .flatMap(peer -> of(peer).stream())
                .findFirst();
    }

    /** What Kubernetes says of a pod may be older than what its member says. */
    private boolean answers(PeerView peer) {
        return view.reachable()
                .flatMap(reachable -> reachable.memberOn(peer.claimName()))
                .filter(MemberView::healthy)
                .isPresent();
    }

    private boolean runs(PeerView peer) {
        return view.podOf(peer)
                .map(pod -> pod.ready()
                        || pod.problem().isEmpty()
                        || pod.node().filter(view.nodesDown()::contains).isPresent())
                .orElse(peer.problem().isEmpty());
    }

    /**
     * The others look for a member by the scheme it is listed with, and only a quorum can list it anew: if all listened
     * otherwise before there is one again, there would never be. Who is alone looks for nobody.
     */
    private boolean isStillFound(PeerView peer) {
        return view.ownPeers().size() < 2
                || view.reachable().filter(Reachable::quorumAnswers).isPresent()
                || view.claim(peer.claimName())
                        .filter(ClaimView::heldData)
                        .filter(claim -> claim.scheme() != view.tls().scheme())
                        .isEmpty();
    }

    /** Data is only given to the minor that the cluster agrees on, or that had it last: other moves want a healthy cluster. */
    private boolean mayTry(PeerView peer) {
        int minor = view.wish().version().minor();
        boolean empty = view.claim(peer.claimName()).filter(ClaimView::heldData).isEmpty();
        return empty
                || peer.setup().version().minor() == minor
                || view.memory()
                        .clusterVersion()
                        .filter(version -> version.minor() == minor)
                        .isPresent()
                || peer.setup()
                        .lastRan()
                        .filter(version -> version.minor() == minor)
                        .isPresent();
    }

    /** One operation, however many changes it carries: named after the version where that is one of them. */
    Task task() {
        OperationType type = type();
        return new Task(
                type,
                type == OperationType.ROLL
                        ? view.wish().key().name()
                        : view.wish().version().toString());
    }

    private OperationType type() {
        EtcdVersion version = view.wish().version();
        for (PeerView peer : view.ownPeers()) {
            int order = peer.setup().version().compareTo(version);
            if (order != 0) {
                return order < 0 ? OperationType.UPGRADE : OperationType.DOWNGRADE;
            }
        }
        // The last pod is restarted when every spec has the version already.
        return view.memory()
                .operation()
                .filter(operation -> operation.target().equals(version.toString()))
                .map(Operation::type)
                .orElse(OperationType.ROLL);
    }

    private boolean isVersion() {
        return type() != OperationType.ROLL;
    }

    private String reason(PeerView peer) {
        EtcdVersion has = peer.setup().version();
        return switch (Integer.signum(view.wish().version().compareTo(has))) {
            case 1 ->
                "Upgrading %s from %s to %s"
                        .formatted(peer.name(), has, view.wish().version());
            case -1 ->
                "Downgrading %s from %s to %s"
                        .formatted(peer.name(), has, view.wish().version());
            default -> "Changing the settings of %s".formatted(peer.name());
        };
    }

    private String wish() {
        return "etcd " + view.wish().version();
    }
}
