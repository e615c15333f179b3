package etcdoperator.schedule;

import etcdoperator.agentreport.AgentReport;
import java.time.Instant;
import java.util.Optional;

/**
 * What a pass does about drills.
 *
 * @param settled the newest run of the calendar that needs nothing more
 * @param granted the wish that needs nothing more
 */
record DrillPlan(Step step, Optional<Instant> settled, Optional<String> granted) {
    DrillPlan instead(Step other) {
        return new DrillPlan(other, Optional.empty(), Optional.empty());
    }

    /** The next thing to do. */
    sealed interface Step {
        record Rest() implements Step {}

        /** One is due and cannot begin. @param reason one word @param why a sentence */
        record Held(String reason, String why) implements Step {}

        /** @param why a sentence's part for people */
        record Start(String job, String backup, String why) implements Step {}

        /** @param trouble what holds it up */
        record Follow(String job, String backup, Instant since, Optional<String> trouble) implements Step {}

        record Pass(String job, String backup, Optional<Instant> since, AgentReport report) implements Step {}

        record Fail(String job, String backup, Optional<Instant> since, String why) implements Step {}

        /** Its Job has said all that it could. */
        record Dismiss(String job) implements Step {}
    }
}
