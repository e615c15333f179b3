package etcdoperator;

import ch.qos.logback.classic.ClassicConstants;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.Map;

/**
 * How the log is written: one JSON object a line; cluster and peer come in through the MDC. The same in an XML file
 * would take an agent, which lives for less than a second, longer to read. A file named by {@code -Dlogback.configurationFile} is used instead.
 */
public final class LogLines extends ContextAwareBase implements Configurator {
    private static final Map<String, Level> LEVELS = Map.of(
            // Our own watch handler says in one line what the client would say in eighty.
            "io.fabric8.kubernetes.client.informers",
            Level.ERROR,
            // It warns of v1alpha1 in our own group.
            "io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils",
            Level.ERROR,
            "etcdoperator",
            Level.toLevel(System.getenv("LOG_LEVEL"), Level.INFO));

    @Override
    public ExecutionStatus configure(LoggerContext logs) {
        if (System.getProperty(ClassicConstants.CONFIG_FILE_PROPERTY) != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        begin(logs);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    static void begin(LoggerContext logs) {
        Logger root = logs.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(console(logs));
        LEVELS.forEach((name, level) -> logs.getLogger(name).setLevel(level));
    }

    private static ConsoleAppender<ILoggingEvent> console(LoggerContext logs) {
        var console = new ConsoleAppender<ILoggingEvent>();
        console.setContext(logs);
        console.setName("stdout");
        console.setEncoder(json(logs));
        console.start();
        return console;
    }

    private static JsonEncoder json(LoggerContext logs) {
        var json = new JsonEncoder();
        json.setContext(logs);
        json.setWithFormattedMessage(true);
        json.setWithMessage(false);
        json.setWithArguments(false);
        json.setWithSequenceNumber(false);
        json.setWithNanoseconds(false);
        json.setWithContext(false);
        json.start();
        return json;
    }
}
