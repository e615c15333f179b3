package etcdoperator.simulation.kube;

import etcdoperator.simulation.etcd.EtcdProcess;
import java.util.Optional;

/**
 * What a NetworkPolicy between the operator and the members lets through. Members still reach each other.
 *
 * @param closed whether there is such a policy
 * @param toAlone the only peer that it keeps the operator from; empty for all
 */
public record OperatorPath(boolean closed, Optional<String> toAlone) {
    public static final OperatorPath OPEN = new OperatorPath(false, Optional.empty());

    public static OperatorPath closedToAll() {
        return new OperatorPath(true, Optional.empty());
    }

    public static OperatorPath closedTo(String peer) {
        return new OperatorPath(true, Optional.of(peer));
    }

    public boolean leadsTo(EtcdProcess process) {
        return !closed
                || toAlone.filter(peer -> !peer.equals(process.flags().name())).isPresent();
    }

    public boolean isClosedToAll() {
        return closed && toAlone.isEmpty();
    }

    @Override
    public String toString() {
        return closed
                ? "the operator does not reach " + toAlone.orElse("any member")
                : "the operator reaches everybody";
    }
}
