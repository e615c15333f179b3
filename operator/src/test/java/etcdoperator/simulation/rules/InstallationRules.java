package etcdoperator.simulation.rules;

import etcdoperator.api.EtcdCluster;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.kube.OperatorProcess;
import etcdoperator.simulation.world.Installations;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Of two installations of the operator, only the one that a cluster records writes anything for it. */
final class InstallationRules {
    private final Rules rules;

    InstallationRules(Rules rules) {
        this.rules = rules;
    }

    /**
     * Before the record is there, it is all that may be written.
     *
     * @param seen the cluster as the operator knew it when its pass began
     * @param writes what the pass has written
     */
    void wrote(OperatorProcess operator, Optional<EtcdCluster> seen, int writes) {
        String own = operator.installation().toString();
        seen.filter(cluster -> !Objects.isDeleting(cluster))
                .filter(cluster -> !Installations.managerOf(cluster).equals(Optional.of(own)))
                .filter(cluster -> writes > (mayTake(cluster, own) ? 1 : 0))
                .ifPresent(cluster -> rules.broken(
                        Invariant.ONE_INSTALLATION_MANAGES,
                        "%s of %s writes for a cluster of %s"
                                .formatted(operator, own, Installations.managerOf(cluster))));
    }

    private static boolean mayTake(EtcdCluster cluster, String installation) {
        return Installations.managerOf(cluster).isEmpty()
                || Installations.askedFor(cluster).equals(Optional.of(installation));
    }

    void reported(HasMetadata before, HasMetadata after) {
        if (before instanceof EtcdCluster && after instanceof EtcdCluster cluster) {
            reported((EtcdCluster) before, Installations.managerOf(cluster).orElse(null));
        }
    }

    /** The record appears once, and changes only as the annotation asks. */
    void reported(EtcdCluster before, @Nullable String after) {
        Optional<String> was = Installations.managerOf(before);
        Optional<String> is = Optional.ofNullable(after);
        boolean taken = was.isEmpty() && is.isPresent();
        if (!was.equals(is) && !taken && !is.equals(Installations.askedFor(before))) {
            rules.broken(Invariant.ONE_INSTALLATION_MANAGES, "the record changes from " + was + " to " + is);
        }
    }
}
