package io.improbable.etcd.manifest;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.api.EtcdRestore;
import io.improbable.etcd.api.EtcdRestoreSpec;
import io.improbable.etcd.api.EtcdRestoreSpec.ClusterTemplate;
import io.improbable.etcd.api.EtcdRestoreSpec.RestoreSource;
import io.improbable.etcd.domain.ClusterId;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
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

    /** When most voters were last found to be lost still. */
    public static Optional<Instant> confirmedAt(EtcdRestore restore) {
        try {
            return said(restore, Labels.LOSS_CONFIRMED).map(Instant::parse);
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** One from the future, of a clock that was wrong, would be so for ever. */
    public static boolean isFresh(Instant confirmedAt, Duration lasts, Instant now) {
        return confirmedAt.plus(lasts).isAfter(now) && !confirmedAt.isAfter(now.plusSeconds(1));
    }

    private static Optional<String> said(EtcdRestore restore, String annotation) {
        return Optional.ofNullable(restore.getMetadata().getAnnotations())
                .map(annotations -> annotations.get(annotation));
    }

    /** Claims on which nothing was found while there were pods to look. */
    public static List<String> withoutData(EtcdRestore restore) {
        String names = said(restore, Labels.WITHOUT_DATA).orElse("");
        return names.isEmpty() ? List.of() : List.of(names.split(","));
    }

    /** The etcd cluster that has lost its majority. */
    public static Optional<ClusterId> lost(EtcdRestore restore) {
        try {
            return said(restore, Labels.RECOVERS).map(ClusterId::parse);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
