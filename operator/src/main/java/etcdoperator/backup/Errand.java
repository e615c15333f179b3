package etcdoperator.backup;

import etcdoperator.agentreport.AgentReport;
import java.time.Instant;
import java.util.Optional;

/** How far the agent has come with an errand: to ask members for a backup, to read it from a volume, or to remove it. */
public sealed interface Errand {
    /** Nobody was sent yet. */
    record NotSent() implements Errand {}

    /** Its Job is there, and no agent is at work. @param why what Kubernetes or the last attempt says of it, if anything */
    record Awaited(Instant since, Optional<String> why) implements Errand {}

    /** @param address where it tells of its progress */
    record AtWork(Instant since, Optional<String> address, Optional<AgentReport> progress) implements Errand {}

    record Done(Instant since, AgentReport report) implements Errand {}

    /** It ended well, and what it said is lost with its pod. */
    record Mute(Instant since) implements Errand {}

    /**
     * @param at when Kubernetes gave up on it
     * @param why a sentence for users
     * @param unanswered whether no member has said a word
     */
    record Failed(Instant since, Instant at, String why, boolean unanswered) implements Errand {}
}
