package etcdoperator.simulation;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.domain.Installation;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Two installations of the operator that watch the same namespace, and who of them may write for the cluster. */
final class Installations {
    static final Installation FIRST = new Installation("ops", "etcd-operator");
    static final Installation SECOND = new Installation("team", "etcd-operator");

    private final Rules rules;

    Installations(Rules rules) {
        this.rules = rules;
    }

    static Optional<String> managerOf(EtcdCluster cluster) {
        return Optional.ofNullable(cluster.getStatus()).map(EtcdClusterStatus::installation);
    }

    private static Optional<String> askedFor(EtcdCluster cluster) {
        return Optional.ofNullable(cluster.getMetadata().getAnnotations())
                .map(annotations -> annotations.get(Labels.INSTALLATION));
    }

    /** Who manages the cluster in the end. */
    static Installation heirOf(Optional<EtcdCluster> cluster) {
        return Stream.of(cluster.flatMap(Installations::askedFor), cluster.flatMap(Installations::managerOf))
                .flatMap(Optional::stream)
                .flatMap(name -> Installation.tryParse(name).stream())
                .findFirst()
                .orElse(FIRST);
    }

    /**
     * Before the record is there, it is all that may be written.
     *
     * @param seen the cluster as the operator knew it when its pass began
     * @param writes what the pass has written
     */
    void wrote(SimulatedOperator operator, Optional<EtcdCluster> seen, int writes) {
        String own = operator.installation().toString();
        seen.filter(cluster -> !Objects.isDeleting(cluster))
                .filter(cluster -> !managerOf(cluster).equals(Optional.of(own)))
                .filter(cluster -> writes > (mayTake(cluster, own) ? 1 : 0))
                .ifPresent(cluster -> rules.broken(
                        Invariant.ONE_INSTALLATION_MANAGES,
                        "%s of %s writes for a cluster of %s".formatted(operator, own, managerOf(cluster))));
    }

    private static boolean mayTake(EtcdCluster cluster, String installation) {
        return managerOf(cluster).isEmpty() || askedFor(cluster).equals(Optional.of(installation));
    }

    void reported(HasMetadata before, HasMetadata after) {
        if (before instanceof EtcdCluster && after instanceof EtcdCluster cluster) {
            reported((EtcdCluster) before, managerOf(cluster).orElse(null));
        }
    }

    /** The record appears once, and changes only as the annotation asks. */
    void reported(EtcdCluster before, @Nullable String after) {
        Optional<String> was = managerOf(before);
        Optional<String> is = Optional.ofNullable(after);
        boolean taken = was.isEmpty() && is.isPresent();
        if (!was.equals(is) && !taken && !is.equals(askedFor(before))) {
            rules.broken(Invariant.ONE_INSTALLATION_MANAGES, "the record changes from " + was + " to " + is);
        }
    }
}
