package etcdoperator.agentjob;

import etcdoperator.agentreport.AgentReport;
import etcdoperator.domain.ObjectKey;
import java.util.Optional;

/** What agents report while they are at work. */
public interface Agents {
    /** @param owner of the agent's Job @param address of its pod */
    void follow(ObjectKey owner, String address);

    void leave(ObjectKey owner);

    /** The last report. */
    Optional<AgentReport> heard(ObjectKey owner);
}
