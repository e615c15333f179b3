package io.improbable.etcd.restore;

import io.improbable.etcd.restore.RestoreView.ClusterState;
import java.util.Optional;

/** Why a backup cannot go where it is wanted. Nothing that has data is ever given other data unasked. */
final class Target {
    private Target() {}

    static Optional<Step> refusal(RestoreView view) {
        return (view.inPlace() ? cannotReplace(view) : cannotMake(view)).map(Step.Fail::new);
    }

    private static Optional<String> cannotMake(RestoreView view) {
        Optional<ClusterState> others =
                view.cluster().filter(cluster -> !cluster.madeBy().equals(Optional.of(view.uid())));
        if (others.isPresent()) {
            return Optional.of(
                    "EtcdCluster %s exists; give the new one another name, or delete it and its claims, or restore into it with inPlace"
                            .formatted(view.clusterName()));
        }
        return view.otherClaims().isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "Claims %s of an earlier EtcdCluster %s exist and may hold its data; delete them, or give the new one another name"
                                .formatted(String.join(", ", view.otherClaims()), view.clusterName()));
    }

    private static Optional<String> cannotReplace(RestoreView view) {
        return view.cluster().isPresent()
                ? Optional.empty()
                : Optional.of(
                        "EtcdCluster %s does not exist, and inPlace restores into one that does; remove inPlace and describe the cluster in clusterTemplate.spec"
                                .formatted(view.clusterName()));
    }
}
