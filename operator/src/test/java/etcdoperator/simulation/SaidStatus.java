package etcdoperator.simulation;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Optional;

/** What the status of a cluster tells its user. */
record SaidStatus(EtcdClusterStatus status) {

    static SaidStatus of(EtcdCluster cluster) {
        return new SaidStatus(cluster.getStatus() == null ? EtcdClusterStatus.EMPTY : cluster.getStatus());
    }

    Optional<Condition> condition(String type) {
        return status.conditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst();
    }

    String reason(String type) {
        return condition(type).map(Condition::getReason).orElse("none");
    }

    /** Whether it names the problem, be it as what stops everything or beside something that goes on. */
    boolean isOf(String problem) {
        return problem.equals(reason("Progressing")) || problem.equals(reason("Degraded"));
    }

    @Override
    public String toString() {
        return Trace.summary(status);
    }
}
