package etcdoperator.cluster.status;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.MemberRole;
import etcdoperator.api.MemberStatus;
import etcdoperator.api.OperationStatus;
import etcdoperator.cluster.step.Outcome;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.Membership.Reachable;
import etcdoperator.cluster.view.Membership.Role;
import etcdoperator.cluster.view.Membership.Unreachable;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.MemberId;
import etcdoperator.manifest.Addresses;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.Transports;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What status says after a pass, computed from view and step alone. */
public final class Report {
    private final EtcdCluster cluster;
    private final EtcdClusterStatus before;
    private final ClusterView view;
    private final Step step;

    private Report(EtcdCluster cluster, ClusterView view, Step step) {
        this.cluster = cluster;
        this.before = Objects.requireNonNullElse(cluster.getStatus(), EtcdClusterStatus.EMPTY);
        this.view = view;
        this.step = step;
    }

    /** @param cluster as stored last; its status may hold an operation that this pass has just recorded */
    public static EtcdClusterStatus of(EtcdCluster cluster, ClusterView view, Step step) {
        return new Report(cluster, view, step).status();
    }

    private EtcdClusterStatus status() {
        ClusterKey key = view.wish().key();
        return new EtcdClusterStatus(
                cluster.getMetadata().getGeneration(),
                view.ownPeers().size(),
                ready(),
                Labels.CLUSTER + "=" + key.name(),
                members(),
                reachable().flatMap(Reachable::leader).map(MemberView::known).orElse(null),
                clusterId(),
                reachable()
                        .flatMap(Reachable::clusterVersion)
                        .map(EtcdVersion::toString)
                        .or(() -> Optional.ofNullable(before.clusterVersion()))
                        .or(() -> reachable().flatMap(Reachable::lowestVersion).map(EtcdVersion::toString))
                        .orElse(null),
                List.of(Addresses.clientServiceUrl(
                        Transports.of(view.tls().target()).client().best(), key)),
                operation(),
                Conditions.of(view, step, cluster.getMetadata().getGeneration(), before.conditions()));
    }

    private Optional<Reachable> reachable() {
        return view.membership() instanceof Reachable reachable ? Optional.of(reachable) : Optional.empty();
    }

    private int ready() {
        return (int) view.ownPeers().stream()
                .filter(peer -> reachable()
                        .flatMap(r -> r.memberOn(peer.claimName()))
                        .map(MemberView::healthy)
                        .orElse(false))
                .count();
    }

    /** Who the members are may be old news and still true; that they are well may not. */
    private List<MemberStatus> members() {
        return switch (view.membership()) {
            case Reachable reachable
            when reachable.quorumAnswers() || before.members().isEmpty() ->
                reachable.members().stream().map(this::member).toList();
            case Reachable reachable ->
                before.members().stream()
                        .map(known -> seenAgain(known, reachable))
                        .toList();
            case Unreachable unreachable ->
                before.members().stream().map(Report::notSeen).toList();
        };
    }

    /** Who is cut off from the others may have an old list: nobody is listed, or gets a vote, by its word alone. */
    private MemberStatus seenAgain(MemberStatus known, Reachable reachable) {
        return reachable
                .member(MemberId.parse(known.id()))
                .map(this::member)
                .map(now -> new MemberStatus(
                        known.id(),
                        known.name(),
                        (known.role() == MemberRole.LEARNER) == (now.role() == MemberRole.LEARNER)
                                ? now.role()
                                : notSeen(known).role(),
                        now.healthy(),
                        now.version(),
                        now.dbSizeBytes(),
                        now.claim()))
                .orElseGet(() -> notSeen(known));
    }

    private MemberStatus member(MemberView member) {
        return new MemberStatus(
                member.id().toString(),
                member.name().isEmpty() ? null : member.name(),
                role(member.role()),
                member.healthy(),
                member.version()
                        .map(EtcdVersion::toString)
                        .or(() -> knownVersion(member))
                        .orElse(null),
                steadySize(member),
                member.claimName().orElse(null));
    }

    /** One that is silent for a moment runs, as far as anybody knows, what it ran before. */
    private Optional<String> knownVersion(MemberView member) {
        return before.members().stream()
                .filter(known -> known.id().equals(member.id().toString()))
                .flatMap(known -> Optional.ofNullable(known.version()).stream())
                .findFirst();
    }

    private static MemberStatus notSeen(MemberStatus member) {
        MemberRole role = member.role() == MemberRole.LEADER ? MemberRole.VOTER : member.role();
        return new MemberStatus(
                member.id(), member.name(), role, false, member.version(), member.dbSizeBytes(), member.claim());
    }

    /** A size that moved by less than a tenth stays as it was written, so that a busy cluster costs no writes here. */
    private Long steadySize(MemberView member) {
        long now = member.store().sizeBytes();
        return before.members().stream()
                .filter(known -> known.id().equals(member.id().toString()))
                .flatMap(known -> Optional.ofNullable(known.dbSizeBytes()).stream())
                .filter(written -> now == 0 || Math.abs(now - written) * 10 <= written)
                .findFirst()
                .orElse(now);
    }

    private static MemberRole role(Role role) {
        return switch (role) {
            case LEADER -> MemberRole.LEADER;
            case VOTER -> MemberRole.VOTER;
            case LEARNER -> MemberRole.LEARNER;
        };
    }

    /** Once known it stays: it is what keeps an empty cluster from being put in the place of a lost one. */
    private @Nullable String clusterId() {
        return before.clusterId() != null
                ? before.clusterId()
                : reachable().map(r -> r.clusterId().toString()).orElse(null);
    }

    private @Nullable OperationStatus operation() {
        return step instanceof Outcome.Finish ? null : before.operation();
    }
}
