package io.improbable.etcd.manifest;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.api.EtcdRestore;
import io.improbable.etcd.api.EtcdRestoreSpec;
import io.improbable.etcd.api.EtcdRestoreSpec.ClusterTemplate;
import io.improbable.etcd.api.EtcdRestoreSpec.RestoreSource;
import io.improbable.etcd.domain.ClusterId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** EtcdRestores that the operator makes to bring a cluster back. Nobody owns them: they tell afterwards what was used. */
public final class Recoveries {
    private Recoveries() {}

    /** @param lost the etcd cluster that has lost its majority @param withoutData claims on which nothing was found */
    public static EtcdRestore of(
            EtcdCluster cluster, String name, ClusterId lost, RestoreSource source, List<String> withoutData) {
        var restore = new EtcdRestore();
        restore.setMetadata(new ObjectMetaBuilder()
                .withNamespace(cluster.getMetadata().getNamespace())
                .withName(name)
                .withLabels(Labels.ofCluster(Labels.keyOf(cluster)))
                .withAnnotations(
                        Map.of(Labels.RECOVERS, lost.toString(), Labels.WITHOUT_DATA, String.join(",", withoutData)))
                .build());
        restore.setSpec(new EtcdRestoreSpec(
                source, new ClusterTemplate(cluster.getMetadata().getName(), null), true, null));
        return restore;
    }

    public static boolean isOne(EtcdRestore restore) {
        return lost(restore).isPresent() && restore.getSpec().goesInPlace();
    }

    /** Claims on which nothing was found while there were pods to look. */
    public static List<String> withoutData(EtcdRestore restore) {
        String names = Objects.requireNonNullElse(restore.getMetadata().getAnnotations(), Map.<String, String>of())
                .getOrDefault(Labels.WITHOUT_DATA, "");
        return names.isEmpty() ? List.of() : List.of(names.split(","));
    }

    /** The etcd cluster that has lost its majority. */
    public static Optional<ClusterId> lost(EtcdRestore restore) {
        try {
            return Optional.ofNullable(
                            Objects.requireNonNullElse(restore.getMetadata().getAnnotations(), Map.<String, String>of())
                                    .get(Labels.RECOVERS))
                    .map(ClusterId::parse);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
