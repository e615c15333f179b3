package etcdoperator.agentreport;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.util.Optional;

/** Reports as JSON, the one form in which they leave the agent. */
public final class ReportText {
    private static final JsonMapper JSON =
            JsonMapper.builder().addModule(new JavaTimeModule()).build();

    private ReportText() {}

    public static String write(AgentReport report) {
        try {
            return JSON.writeValueAsString(report);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a report is always JSON", e);
        }
    }

    /** Empty if it is none: a container that was killed leaves nothing, or whatever it printed last. */
    public static Optional<AgentReport> read(String text) {
        try {
            return Optional.ofNullable(JSON.readValue(text, AgentReport.class)).filter(ReportText::hasState);
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    @SuppressWarnings("ConstantValue") // JSON knows of no promises
    private static boolean hasState(AgentReport report) {
        return report.state() != null;
    }
}
