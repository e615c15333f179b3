package etcdoperator.simulation.kube;

import etcdoperator.simulation.etcd.EtcdProcess;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The one container of a pod: the run of etcd that is, and what is known of those that were. */
final class Container {
    /** A kubelet waits longer from time to time; where nothing else changes, this is no news. */
    private static final int COUNTED = 5;

    private static final List<Duration> DELAYS = List.of(Duration.ZERO, Duration.ofSeconds(10), Duration.ofSeconds(40));

    private EtcdProcess process;
    private Optional<EtcdProcess> previous = Optional.empty();
    private int restarts;
    private int endsInARow;
    private Instant startedAt;
    private boolean endedAtOnce;
    private boolean foundNothing;

    Container(EtcdProcess process, Instant now) {
        this.process = process;
        this.startedAt = now;
        this.endedAtOnce = !process.isRunning();
    }

    /**
     * A kubelet waits longer after each end: what etcd found when it started may be old when it is read. Of others than
     * those who need their data that is no matter.
     */
    boolean mayStartAgain(Instant now) {
        return !endedAtOnce
                || !process.flags().isSealed()
                || !startedAt
                        .plus(DELAYS.get(Math.min(endsInARow, DELAYS.size() - 1)))
                        .isAfter(now);
    }

    EtcdProcess process() {
        return process;
    }

    void restart(EtcdProcess next, Instant now) {
        startedAt = now;
        foundNothing = endedAtOnce;
        endedAtOnce = !next.isRunning();
        previous = Optional.of(process);
        endsInARow = process.wasEverReady() ? 0 : Math.min(endsInARow + 1, COUNTED);
        process = next;
        restarts = Math.min(restarts + 1, COUNTED);
    }

    boolean isReady() {
        return process.isReady() && process.data().isVoter(process.data().self());
    }

    /** All that {@link #status} depends on. */
    String outline() {
        return process.isRunning() + "/" + (process.isRunning() && isReady()) + "/" + restarts + "/" + endsInARow + "/"
                + lastEnd().map(end -> end.lastWords() + "/" + end.wasEverReady());
    }

    ContainerStatus status() {
        return new ContainerStatusBuilder()
                .withName("etcd")
                .withReady(isReady())
                .withRestartCount(restarts)
                .withState(state())
                .withLastState(lastEnd().map(this::lastState).orElse(null))
                .build();
    }

    /** A kubelet starts it again at once when it has ended for the first time. */
    private ContainerState state() {
        if (process.isRunning()) {
            return endsInARow < 2 ? RUNNING : hasChangedItsMind() ? running(startedAt.toString()) : RUNNING_AFTER_ALL;
        }
        return endsInARow < 1 ? STARTING : HELD_BACK;
    }

    private Optional<EtcdProcess> lastEnd() {
        return process.isRunning() ? previous : Optional.of(process);
    }

    /** It runs, and found nothing to run on before: how long it does is news. Who runs for a moment, again and again, is none. */
    private boolean hasChangedItsMind() {
        return process.isRunning() && endsInARow >= 2 && foundNothing;
    }

    private ContainerState lastState(EtcdProcess ended) {
        return hasChangedItsMind()
                ? terminated(
                        ended,
                        startedAt.minusSeconds(11).toString(),
                        startedAt.minusSeconds(10).toString())
                : terminated(
                        ended,
                        ended.wasEverReady() ? "2026-01-01T00:00:00Z" : "2026-01-01T00:59:59Z",
                        "2026-01-01T01:00:00Z");
    }

    private static ContainerState terminated(EtcdProcess ended, String started, String finished) {
        return new ContainerStateBuilder()
                .withNewTerminated()
                .withExitCode(ended.lastWords().isPresent() ? 1 : 137)
                .withMessage(ended.lastWords().orElse(null))
                .withStartedAt(started)
                .withFinishedAt(finished)
                .endTerminated()
                .build();
    }

    private static final ContainerState RUNNING = running("2026-01-01T01:00:01Z");
    private static final ContainerState RUNNING_AFTER_ALL = running("2026-01-01T01:00:10Z");
    private static final ContainerState STARTING = waiting("ContainerCreating");
    private static final ContainerState HELD_BACK = waiting("CrashLoopBackOff");

    private static ContainerState running(String since) {
        return new ContainerStateBuilder()
                .withNewRunning()
                .withStartedAt(since)
                .endRunning()
                .build();
    }

    private static ContainerState waiting(String reason) {
        return new ContainerStateBuilder()
                .withNewWaiting()
                .withReason(reason)
                .endWaiting()
                .build();
    }
}
