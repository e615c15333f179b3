package etcdoperator.restore;

import etcdoperator.restore.RestoreView.ClusterState;
import java.util.List;
import java.util.Optional;

/** Why a backup cannot go where it is wanted. Nothing that has data is ever given other data unasked. */
final class Target {
    private Target() {}

    static Optional<Step> refusal(RestoreView view) {
        return view.inPlace() ? cannotReplace(view) : cannotMake(view).or(() -> leaving(view));
    }

    private static Optional<Step> cannotMake(RestoreView view) {
        Optional<ClusterState> others = others(view).filter(cluster -> !cluster.leaving());
        if (others.isPresent()) {
            return fail(
                    "EtcdCluster %s exists; give the new one another name, or delete it and its claims, or restore into it with inPlace"
                            .formatted(view.clusterName()));
        }
        List<String> stay = view.otherClaims().stream()
                .filter(claim -> !view.leavingClaims().contains(claim))
                .toList();
        return stay.isEmpty()
                ? Optional.empty()
                : fail(
                        "Claims %s of an earlier EtcdCluster %s exist and may hold its data; delete them, or give the new one another name"
                                .formatted(String.join(", ", stay), view.clusterName()));
    }

    /** Who was deleted a moment ago makes room by itself. */
    private static Optional<Step> leaving(RestoreView view) {
        if (others(view).isPresent()) {
            return Optional.of(
                    new Step.Wait("Waiting for the earlier EtcdCluster %s to be gone".formatted(view.clusterName())));
        }
        return view.leavingClaims().isEmpty()
                ? Optional.empty()
                : Optional.of(new Step.Wait("Waiting for claims %s of the earlier EtcdCluster %s to be gone"
                        .formatted(String.join(", ", view.leavingClaims()), view.clusterName())));
    }

    private static Optional<ClusterState> others(RestoreView view) {
        return view.cluster().filter(cluster -> !cluster.madeBy().equals(Optional.of(view.uid())));
    }

    private static Optional<Step> cannotReplace(RestoreView view) {
        return view.cluster().isPresent()
                ? Optional.empty()
                : fail(
                        "EtcdCluster %s does not exist, and inPlace restores into one that does; remove inPlace and describe the cluster in clusterTemplate.spec"
                                .formatted(view.clusterName()));
    }

    private static Optional<Step> fail(String why) {
        return Optional.of(new Step.Fail(why));
    }
}
