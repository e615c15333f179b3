package io.improbable.etcd.manifest;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.api.EtcdRestore;
import io.improbable.etcd.api.EtcdRestoreSpec;
import io.improbable.etcd.api.EtcdRestoreSpec.ClusterTemplate;
import io.improbable.etcd.api.EtcdRestoreSpec.RestoreSource;
import io.improbable.etcd.domain.ClusterId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** EtcdRestores that the operator makes to bring a cluster back. Nobody owns them: they tell afterwards what was used. */
public final class Recoveries {
    private Recoveries() {}

    /**
     * @param lost the etcd cluster that has lost its majority
     * @param spoilt claims of it that are known to have no data any more
     */
    public static EtcdRestore of(
            EtcdCluster cluster, String name, ClusterId lost, RestoreSource source, List<String> spoilt) {
        var restore = new EtcdRestore();
        restore.setMetadata(new ObjectMetaBuilder()
                .withNamespace(cluster.getMetadata().getNamespace())
                .withName(name)
                .withLabels(Labels.ofCluster(Labels.keyOf(cluster)))
                .withAnnotations(Map.of(Labels.RECOVERS, lost.toString(), Labels.SPOILT, String.join(",", spoilt)))
                .build());
        restore.setSpec(new EtcdRestoreSpec(
                source, new ClusterTemplate(cluster.getMetadata().getName(), null), true, null));
        return restore;
    }

    public static boolean isOne(EtcdRestore restore) {
        return lost(restore).isPresent() && restore.getSpec().goesInPlace();
    }

    /** The etcd cluster that has lost its majority. */
    public static Optional<ClusterId> lost(EtcdRestore restore) {
        try {
            return said(restore, Labels.RECOVERS).map(ClusterId::parse);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Claims that were known to have no data any more when it was made. */
    public static Set<String> spoilt(EtcdRestore restore) {
        return said(restore, Labels.SPOILT).stream()
                .flatMap(names -> Arrays.stream(names.split(",")))
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Optional<String> said(EtcdRestore restore, String annotation) {
        return Optional.ofNullable(
                Objects.requireNonNullElse(restore.getMetadata().getAnnotations(), Map.<String, String>of())
                        .get(annotation));
    }
}
