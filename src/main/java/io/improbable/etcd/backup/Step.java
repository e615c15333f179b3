package io.improbable.etcd.backup;

import io.improbable.etcd.agent.AgentReport;
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

    record Follow(Instant since, Optional<String> address, Optional<AgentReport> progress) implements Step {}

    record Complete(Instant since, AgentReport report) implements Step {}

    record Fail(Optional<Instant> since, String why) implements Step {}

    /** Removes the Job of a backup that is complete: the status says all that its pod could say. */
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
