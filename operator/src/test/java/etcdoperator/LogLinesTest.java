package etcdoperator;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.ConsoleAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class LogLinesTest {
    private final LoggerContext logs = new LoggerContext();

    @Test
    void logbackFindsThem() {
        assertThat(ServiceLoader.load(Configurator.class)).hasOnlyElementsOfTypes(LogLines.class);
    }

    @Test
    void aLineIsJsonWithTheWholeSentence() throws Exception {
        Logger root = begun();
        var console = (ConsoleAppender<ILoggingEvent>) root.getAppender("stdout");
        var event = new LoggingEvent("", root, Level.WARN, "{} is {}", null, new Object[] {"my-cluster-2", "gone"});
        JsonNode line = new JsonMapper().readTree(console.getEncoder().encode(event));
        assertThat(line.path("formattedMessage").asText()).isEqualTo("my-cluster-2 is gone");
        assertThat(line.path("level").asText()).isEqualTo("WARN");
        assertThat(line.has("message")).isFalse();
    }

    @Test
    void oursAreToldAndThoseOfLibrariesIfTheyWarn() {
        begun();
        assertThat(logs.getLogger("etcdoperator.cluster").isInfoEnabled()).isTrue();
        assertThat(logs.getLogger("io.grpc").isInfoEnabled()).isFalse();
        assertThat(logs.getLogger("io.grpc").isWarnEnabled()).isTrue();
    }

    @Test
    void aFileOfOnesOwnIsUsedInstead() {
        var lines = new LogLines();
        assertThat(lines.configure(logs)).isEqualTo(Configurator.ExecutionStatus.INVOKE_NEXT_IF_ANY);
    }

    private Logger begun() {
        logs.setMDCAdapter(new LogbackMDCAdapter());
        LogLines.begin(logs);
        return logs.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }
}
