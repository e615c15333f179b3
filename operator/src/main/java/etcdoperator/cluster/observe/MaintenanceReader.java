package etcdoperator.cluster.observe;

import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.EtcdOptions;
import etcdoperator.api.MaintenanceSpec;
import etcdoperator.calendar.Schedule;
import etcdoperator.calendar.Window;
import etcdoperator.cluster.view.Maintenance;
import etcdoperator.domain.TimeSpan;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what the API server has let through; what only a calendar can tell to be wrong is a mistake. */
public final class MaintenanceReader {
    private static final double HALF = 0.5;
    private static final Duration HOURLY = Duration.ofHours(1);
    private static final long ETCDS_OWN_QUOTA = 2L << 30;

    private MaintenanceReader() {}

    /** What is wrong with it, in a sentence that says what to do. */
    static Optional<String> mistake(EtcdClusterSpec spec) {
        try {
            of(spec);
            return Optional.empty();
        } catch (IllegalArgumentException | DateTimeException e) {
            return Optional.of("spec.maintenance cannot be read: %s; correct it".formatted(e.getMessage()));
        }
    }

    public static Maintenance ofOrNever(EtcdClusterSpec spec) {
        return mistake(spec).isEmpty() ? of(spec) : Maintenance.NEVER;
    }

    private static Maintenance of(EtcdClusterSpec spec) {
        Optional<MaintenanceSpec> given = Optional.ofNullable(spec.maintenance());
        Optional<MaintenanceSpec.Defragmentation> defragmentation = given.map(MaintenanceSpec::defragmentation);
        return new Maintenance(
                given.map(MaintenanceSpec::window).map(MaintenanceReader::window),
                defragmentation
                        .map(MaintenanceSpec.Defragmentation::schedule)
                        .map(schedule -> schedule(schedule, null)),
                defragmentation
                        .map(MaintenanceSpec.Defragmentation::wastedShare)
                        .map(Double::parseDouble)
                        .orElse(HALF),
                comparison(given),
                Optional.ofNullable(spec.etcd())
                        .map(EtcdOptions::quotaBackendBytes)
                        .filter(quota -> quota > 0)
                        .orElse(ETCDS_OWN_QUOTA),
                false);
    }

    private static Optional<Duration> comparison(Optional<MaintenanceSpec> given) {
        Duration interval = given.map(MaintenanceSpec::hashCheck)
                .map(MaintenanceSpec.HashCheck::interval)
                .map(text -> text.equals("0") ? Duration.ZERO : TimeSpan.parse(text))
                .orElse(HOURLY);
        return interval.isZero() ? Optional.empty() : Optional.of(interval);
    }

    private static Window window(MaintenanceSpec.Window window) {
        return new Window(schedule(window.schedule(), window.timeZone()), TimeSpan.parse(window.duration()));
    }

    private static Schedule schedule(String cron, @Nullable String zone) {
        return Schedule.parse(cron, zone == null ? ZoneOffset.UTC : ZoneId.of(zone));
    }
}
