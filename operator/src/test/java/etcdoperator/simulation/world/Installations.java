package etcdoperator.simulation.world;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.domain.Installation;
import etcdoperator.manifest.Labels;
import java.util.Optional;
import java.util.stream.Stream;

/** Two installations of the operator that watch the same namespace, and what a cluster says of them. */
public final class Installations {
    public static final Installation FIRST = new Installation("ops", "etcd-operator");
    public static final Installation SECOND = new Installation("team", "etcd-operator");

    private Installations() {}

    public static Optional<String> managerOf(EtcdCluster cluster) {
        return Optional.ofNullable(cluster.getStatus()).map(EtcdClusterStatus::installation);
    }

    public static Optional<String> askedFor(EtcdCluster cluster) {
        return Optional.ofNullable(cluster.getMetadata().getAnnotations())
                .map(annotations -> annotations.get(Labels.INSTALLATION));
    }

    /** The installation that manages the cluster in the end. */
    static Installation heirOf(Optional<EtcdCluster> cluster) {
        return Stream.of(cluster.flatMap(Installations::askedFor), cluster.flatMap(Installations::managerOf))
                .flatMap(Optional::stream)
                .flatMap(name -> Installation.tryParse(name).stream())
                .findFirst()
                .orElse(FIRST);
    }
}
