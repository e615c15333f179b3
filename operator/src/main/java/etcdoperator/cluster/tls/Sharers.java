package etcdoperator.cluster.tls;

import static java.util.stream.Collectors.joining;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.domain.ClusterKey;
import etcdoperator.manifest.AuthorityMarks;
import etcdoperator.manifest.Labels;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Other clusters that trust an authority of this one. Pure. */
final class Sharers {
    private static final int NAMED = 3;
    private static final Comparator<EtcdCluster> BY_AGE = Comparator.comparing(Sharers::created)
            .thenComparing(cluster -> Labels.keyOf(cluster).toString());

    private final EtcdCluster cluster;
    private final List<EtcdCluster> others;

    /** @param found may have the cluster itself */
    Sharers(EtcdCluster cluster, List<EtcdCluster> found) {
        this.cluster = cluster;
        this.others = found.stream()
                .filter(other -> !Labels.keyOf(other).equals(Labels.keyOf(cluster)))
                .toList();
    }

    Set<ClusterKey> sharing(Set<String> marks) {
        return having(marks, other -> true);
    }

    /** Those to which this cluster gives way. Of two new clusters, the older one starts. */
    Set<ClusterKey> blocking(Set<String> marks) {
        return having(marks, other -> hasBegun(other) || BY_AGE.compare(other, cluster) < 0);
    }

    private Set<ClusterKey> having(Set<String> marks, Predicate<EtcdCluster> wanted) {
        return others.stream()
                .filter(wanted)
                .filter(other -> AuthorityMarks.of(other).stream().anyMatch(marks::contains))
                .map(Labels::keyOf)
                .collect(Collectors.toSet());
    }

    static boolean hasBegun(EtcdCluster cluster) {
        EtcdClusterStatus status = Objects.requireNonNullElse(cluster.getStatus(), EtcdClusterStatus.EMPTY);
        return status.clusterId() != null || status.replicas() > 0;
    }

    /** Users of this namespace need not know the names in others. */
    String named(Set<ClusterKey> some) {
        String namespace = cluster.getMetadata().getNamespace();
        Stream<String> near = some.stream()
                .filter(other -> other.namespace().equals(namespace))
                .map(other -> "EtcdCluster " + other.name())
                .sorted()
                .limit(NAMED);
        boolean far = some.stream().anyMatch(other -> !other.namespace().equals(namespace));
        return Stream.concat(near, far ? Stream.of("an EtcdCluster in another namespace") : Stream.<String>empty())
                .collect(joining(" and "));
    }

    private static Instant created(EtcdCluster cluster) {
        return Optional.ofNullable(cluster.getMetadata().getCreationTimestamp())
                .map(Instant::parse)
                .orElse(Instant.EPOCH);
    }
}
