package etcdoperator.operator;

import etcdoperator.api.backup.DrillStatus;
import etcdoperator.api.backup.DrillStatus.DrillResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What the drills of all schedules together come to: an alarm over it is an alarm over each of them. */
record DrillFigures(Supplier<List<DrillStatus>> all) {
    long count(DrillResult result) {
        return all.get().stream().filter(drill -> drill.result() == result).count();
    }

    /** In seconds of Unix time, as the next; 0 for never. */
    double last() {
        return all.get().stream()
                .flatMap(drill -> Stream.ofNullable(drill.lastTime()))
                .mapToLong(Instant::getEpochSecond)
                .max()
                .orElse(0);
    }

    /** One that waits for its first drill does not count; one whose drills have only failed does. */
    double oldestSuccess() {
        return all.get().stream()
                .filter(drill -> drill.lastTime() != null)
                .mapToLong(drill -> Optional.ofNullable(drill.lastSuccessTime())
                        .map(Instant::getEpochSecond)
                        .orElse(0L))
                .min()
                .orElse(0);
    }

    double longest() {
        return all.get().stream()
                .filter(drill -> drill.result() != DrillResult.RUNNING)
                .flatMap(drill -> took(drill).stream())
                .mapToLong(Duration::toSeconds)
                .max()
                .orElse(0);
    }

    private static Optional<Duration> took(DrillStatus drill) {
        Instant began = drill.startTime();
        Instant ended = drill.lastTime();
        return began == null || ended == null ? Optional.empty() : Optional.of(Duration.between(began, ended));
    }
}
