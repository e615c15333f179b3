package etcdoperator.backup;

import etcdoperator.agentreport.AgentReport;
import java.time.Instant;
import java.util.Optional;

/** What a pass does about a backup. */
public sealed interface Step {
    /** Nothing: a finished backup is never taken again. */
    record Rest() implements Step {}

    /** Writes into the object whether it waits for what is stored to be removed, and whom it goes with. */
    record Bind(boolean held, boolean owned) implements Step {}

    /** @param reason one word for machines @param why a sentence for people */
    record Wait(String reason, String why, Optional<Instant> since) implements Step {}

    /** Sends the agent. */
    record Start() implements Step {}

    /** Has a member stopped, because nobody answers and its volume is to be read. */
    record StopMember(String peer) implements Step {}

    /** Sends the agent to the volume of a member that is stopped. */
    record Read(String peer) implements Step {}

    /** Lets the member run that was stopped; asks anew, if the backup is not taken yet. */
    record GiveBack() implements Step {}

    /**
     * Makes room for another agent, which stores the same object: where the first one has stored it, nobody knows.
     *
     * @param since when that was sent
     */
    record SendAgain(Instant since) implements Step {}

    /** @param claim whose volume is read, if it is no member that is asked */
    record Follow(Instant since, Optional<String> address, Optional<AgentReport> progress, Optional<String> claim)
            implements Step {}

    record Complete(Instant since, AgentReport report, Optional<String> claim) implements Step {}

    record Fail(Optional<Instant> since, String why) implements Step {}

    /** Removes the Jobs of a backup that is over: the status says all that their pods could say. */
    record Dismiss() implements Step {}

    /** Sends the agent to remove what is stored. */
    record Erase() implements Step {}

    /** Makes room for another try. */
    record EraseAgain() implements Step {}

    /** The object cannot go yet. */
    record Hold(String reason, String why) implements Step {}

    /** The object may go. */
    record LetGo() implements Step {}
}
