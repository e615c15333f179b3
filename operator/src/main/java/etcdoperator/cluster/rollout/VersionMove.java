package etcdoperator.cluster.rollout;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;

import etcdoperator.cluster.step.Outcome.Stuck;
import etcdoperator.cluster.step.Outcome.Wait;
import etcdoperator.cluster.step.RolloutStep.CancelDowngrade;
import etcdoperator.cluster.step.RolloutStep.EnableDowngrade;
import etcdoperator.cluster.step.RolloutStep.WriteSnapshots;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Membership;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Roster;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.VersionPath;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What has to come before a member may run another minor of etcd; judged by what the members really run. */
final class VersionMove {
    private final ClusterView view;
    private final Roster roster;
    private final EtcdVersion wanted;

    VersionMove(ClusterView view, Roster roster) {
        this.view = view;
        this.roster = roster;
        this.wanted = view.wish().version();
    }

    /** Empty if nothing is in the way. Every member is well, so that all of them say what they run. */
    Optional<Step> preparation() {
        NavigableSet<Integer> minors = running().map(EtcdVersion::minor).collect(toCollection(TreeSet::new));
        if (minors.isEmpty()) {
            return Optional.empty();
        }
        int lowest = minors.first();
        int highest = minors.last();
        boolean takenBack = lowest == wanted.minor() && downgradeTo().isEmpty();
        if (highest == wanted.minor() && lowest == wanted.minor()) {
            return cancelDowngrade();
        }
        if (takenBack && highest == wanted.minor() + 1) {
            // etcd has agreed on the old minor as long as one member runs it.
            return Optional.empty();
        }
        return refusal()
                .or(() -> minors.contains(wanted.minor()) ? Optional.empty() : new SafetyBackup(view).first())
                .or(() -> highest > wanted.minor() ? down() : up());
    }

    private Optional<Step> refusal() {
        return running()
                .flatMap(version -> VersionPath.refusal(version, wanted, clusterVersion(version)).stream())
                .findFirst()
                .map(why -> new Stuck(new Problem(Problem.Kind.VersionRefused, why)));
    }

    private EtcdVersion clusterVersion(EtcdVersion otherwise) {
        return view.reachable().flatMap(Membership.Reachable::clusterVersion).orElse(otherwise);
    }

    private Optional<Step> up() {
        return cancelDowngrade().or(this::snapshots);
    }

    private Optional<Step> down() {
        if (downgradeTo().filter(target -> target.minor() == wanted.minor()).isPresent()) {
            return storageVersions();
        }
        return snapshots()
                .or(() -> Optional.of(new EnableDowngrade(
                        new Renewal(view).task(),
                        wanted.clusterVersion(),
                        "Telling etcd that it is going back to %d.%d".formatted(wanted.major(), wanted.minor()))));
    }

    /** An older etcd refuses data of a newer one; etcd rewrites them within seconds once it was told. */
    private Optional<Step> storageVersions() {
        String waiting = others().filter(member -> member.store()
                        .version()
                        .filter(version -> version.minor() == wanted.minor())
                        .isEmpty())
                .map(MemberView::known)
                .collect(joining(", "));
        return waiting.isEmpty()
                ? Optional.empty()
                : Optional.of(new Wait("Waiting for %s to store data as etcd %d.%d does"
                        .formatted(waiting, wanted.major(), wanted.minor())));
    }

    /** Whoever has changed his mind: etcd would otherwise go on waiting for the older minor. */
    Optional<Step> cancelDowngrade() {
        return downgradeTo()
                .filter(target -> target.minor() < wanted.minor())
                .map(target -> new CancelDowngrade(
                        new Renewal(view).task(),
                        "Telling etcd that it is not going back to %d.%d".formatted(target.major(), target.minor())));
    }

    /** Without a raft snapshot of its own minor a member would replay, on the next one, entries that it cannot read. */
    private Optional<Step> snapshots() {
        List<MemberView> without =
                others().filter(member -> !view.chores().hasSnapshotOf(member)).toList();
        if (without.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new WriteSnapshots(
                new Renewal(view).task(),
                without.stream().map(MemberView::id).toList(),
                wanted.forbidsV2() && running().anyMatch(version -> !version.forbidsV2()),
                "Having %s write a raft snapshot before etcd %s%s"
                        .formatted(
                                without.stream().map(MemberView::known).collect(joining(", ")),
                                wanted,
                                view.chores().trouble().map(why -> "; " + why).orElse(""))));
    }

    private Optional<EtcdVersion> downgradeTo() {
        return view.reachable().flatMap(Membership.Reachable::downgradeTo);
    }

    private Stream<MemberView> others() {
        return roster.members().stream()
                .filter(member -> member.version()
                        .filter(version -> version.minor() != wanted.minor())
                        .isPresent());
    }

    private Stream<EtcdVersion> running() {
        return roster.members().stream().flatMap(member -> member.version().stream());
    }
}
