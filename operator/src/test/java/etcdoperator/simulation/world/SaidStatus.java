package etcdoperator.simulation.world;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.simulation.replay.Trace;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Optional;

/** What the status of a cluster tells its user. */
public record SaidStatus(EtcdClusterStatus status) {

    public static SaidStatus of(EtcdCluster cluster) {
        return new SaidStatus(cluster.getStatus() == null ? EtcdClusterStatus.EMPTY : cluster.getStatus());
    }

    public Optional<Condition> condition(String type) {
        return status.conditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst();
    }

    public String reason(String type) {
        return condition(type).map(Condition::getReason).orElse("none");
    }

    /** Whether it names the problem, be it as what stops everything or beside something that goes on. */
    public boolean isOf(String problem) {
        return problem.equals(reason("Progressing")) || problem.equals(reason("Degraded"));
    }

    @Override
    public String toString() {
        return Trace.summary(status);
    }
}
