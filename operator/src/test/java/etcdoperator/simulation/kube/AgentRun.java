package etcdoperator.simulation.kube;

import etcdoperator.agentreport.AgentReport;
import java.util.Optional;

/** One run of an agent's container. It may be killed between any two of its steps. */
public interface AgentRun {
    /** How it ended. */
    record Ended(int exitCode, AgentReport report) {}

    /** @return empty while there is more to do */
    Optional<Ended> step();
}
