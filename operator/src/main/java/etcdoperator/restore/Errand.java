package etcdoperator.restore;

import etcdoperator.agentreport.AgentReport;
import java.util.Optional;

/** How far a Job of a restore has come. */
public sealed interface Errand {
    /** Nobody was sent yet. */
    record NotSent() implements Errand {}

    /** @param why what holds it up, or what its last attempt came to, if anything is known of it */
    record Sent(Optional<String> why) implements Errand {}

    /** @param report what was said at the end; lost where the pod was deleted too soon */
    record Done(Optional<AgentReport> report) implements Errand {}

    /** @param why a sentence for users @param forGood whether it would fail again, however often it is tried */
    record Failed(String why, boolean forGood) implements Errand {}
}
