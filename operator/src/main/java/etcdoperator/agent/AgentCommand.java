package etcdoperator.agent;

import etcdoperator.agentreport.AgentException;
import etcdoperator.agentreport.AgentReport.State;
import etcdoperator.agentreport.CorruptSnapshotException;
import etcdoperator.agentreport.ExitCodes;
import etcdoperator.commandline.Flag;
import etcdoperator.commandline.Role;
import etcdoperator.store.StoreException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One piece of work in a pod of its own: it shows how far it is, can be told to stop, and leaves last words. */
abstract class AgentCommand implements Role {
    private static final Logger LOG = LoggerFactory.getLogger(AgentCommand.class);

    /** Less than Kubernetes gives to a pod that it wants to end. */
    private static final int LAST_SECONDS = 25;

    @Flag(name = "--http-port", description = "Port of /progress; 0 for none.")
    private int httpPort = 8080;

    private final Progress progress = new Progress();
    private final CompletableFuture<Integer> ended = new CompletableFuture<>();
    private Map<String, String> environment = System.getenv();

    /** @return what was done, in a sentence for users */
    abstract String work(Progress progress) throws AgentException, IOException;

    @Override
    public final Integer call() {
        Thread worker = Thread.currentThread();
        var stop = new Thread(() -> stop(worker));
        Runtime.getRuntime().addShutdownHook(stop);
        Outcome outcome = outcome();
        LastWords.write(progress.report(outcome.state(), outcome.message()), environment);
        LOG.info(outcome.message());
        ended.complete(outcome.exitCode());
        return outcome.exitCode();
    }

    private record Outcome(int exitCode, String message) {
        State state() {
            return exitCode == ExitCodes.DONE ? State.COMPLETED : State.FAILED;
        }
    }

    private Outcome outcome() {
        try (AutoCloseable server = server()) {
            return new Outcome(ExitCodes.DONE, work(progress));
        } catch (AgentException e) {
            return failed(e.exitCode(), e);
        } catch (CorruptSnapshotException e) {
            return failed(ExitCodes.FATAL, e);
        } catch (StoreException e) {
            return failed(e.kind() == StoreException.Kind.UNREACHABLE ? ExitCodes.FOR_NOW : ExitCodes.FATAL, e);
        } catch (IllegalArgumentException e) {
            // As the parsers of addresses, templates and certificates say it.
            return failed(ExitCodes.FATAL, e);
        } catch (Exception e) {
            LOG.warn("Failed", e);
            return failed(ExitCodes.FOR_NOW, e);
        }
    }

    /** Flags that cannot be understood end an agent like any other failure: with last words. */
    @Override
    public int refuse(String why) {
        LastWords.write(progress.report(State.FAILED, LastWords.shortened(why)), environment);
        return ExitCodes.FATAL;
    }

    private static Outcome failed(int exitCode, Exception why) {
        return new Outcome(
                exitCode,
                LastWords.shortened(Optional.ofNullable(why.getMessage()).orElse(why.toString())));
    }

    private AutoCloseable server() throws IOException {
        return httpPort == 0 ? () -> {} : new ProgressServer(httpPort, () -> progress.report(State.RUNNING, null));
    }

    /** Told to end: takes back what has been uploaded, and asks for another try. */
    private void stop(Thread worker) {
        if (ended.isDone()) {
            return;
        }
        worker.interrupt();
        int exitCode = ended.completeOnTimeout(ExitCodes.FOR_NOW, LAST_SECONDS, TimeUnit.SECONDS)
                .join();
        // Java would say that a signal ended it. What fails because it is stopped is no failure of the next attempt.
        Runtime.getRuntime().halt(exitCode == ExitCodes.DONE ? ExitCodes.DONE : ExitCodes.FOR_NOW);
    }

    /** For tests, which cannot change that of their process. */
    void setEnvironment(Map<String, String> other) {
        environment = other;
    }
}
