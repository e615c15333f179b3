package etcdoperator.testrun;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Appends a line for each test that ended: class, test, result, milliseconds. {@code packaging/test-times} counts them
 * and names the slowest classes. The XML reports cannot be used for this: a class that runs once for each line of etcd
 * leaves the report of its last run only.
 */
public final class TestTimes implements TestExecutionListener {
    /** The folder to write to; each process writes a file of its own. */
    private static final Optional<Path> FOLDER =
            Optional.ofNullable(System.getProperty("test.times")).map(Path::of);

    private final Map<String, Long> begun = new ConcurrentHashMap<>();

    private volatile TestPlan plan;

    @Override
    public void testPlanExecutionStarted(TestPlan testPlan) {
        plan = testPlan;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        begun.put(test.getUniqueId(), System.nanoTime());
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        write(test, "skipped", 0);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        long nanos = System.nanoTime() - begun.getOrDefault(test.getUniqueId(), System.nanoTime());
        switch (result.getStatus()) {
            case SUCCESSFUL -> {
                if (test.isTest()) {
                    write(test, "passed", nanos);
                }
            }
            // An assumption that does not hold.
            case ABORTED -> write(test, "skipped", nanos);
            // A class can fail, too, before its first test.
            case FAILED -> write(test, "failed", nanos);
        }
    }

    private void write(TestIdentifier test, String result, long nanos) {
        FOLDER.ifPresent(folder -> append(
                folder,
                "%s\t%s\t%s\t%d%n"
                        .formatted(
                                className(test),
                                test.getDisplayName().replaceAll("\\s+", " "),
                                result,
                                nanos / 1_000_000)));
    }

    /** Tests that are made while a class runs have no source of their own. */
    private String className(TestIdentifier test) {
        return test.getSource()
                .flatMap(TestTimes::className)
                .or(() -> plan.getParent(test).map(this::className))
                .orElseGet(test::getLegacyReportingName);
    }

    private static Optional<String> className(TestSource source) {
        return switch (source) {
            case MethodSource method -> Optional.of(method.getClassName());
            case ClassSource type -> Optional.of(type.getClassName());
            default -> Optional.empty();
        };
    }

    private static synchronized void append(Path folder, String line) {
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(ProcessHandle.current().pid() + ".tsv"), line, CREATE, APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
