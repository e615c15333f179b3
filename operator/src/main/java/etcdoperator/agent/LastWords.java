package etcdoperator.agent;

import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.ReportText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What Kubernetes keeps of a container that has ended. */
final class LastWords {
    private static final Logger LOG = LoggerFactory.getLogger(LastWords.class);

    /** Kubernetes cuts off after 4096 bytes, and half a JSON is none. */
    private static final int LONGEST_MESSAGE = 1500;

    private LastWords() {}

    static void write(AgentReport report, Map<String, String> environment) {
        Path file = Path.of(environment.getOrDefault("TERMINATION_LOG", "/dev/termination-log"));
        try {
            Files.writeString(file, ReportText.write(report));
        } catch (IOException e) {
            LOG.warn("The last words could not be left in {}: {}", file, e.toString());
        }
    }

    static String shortened(String message) {
        return message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE) + "…";
    }
}
