package etcdoperator.installation;

import etcdoperator.kube.Kube;
import etcdoperator.kube.Notice;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Events that last for as long as their cause: Kubernetes deletes an Event after an hour. */
final class Reminders {
    static final Duration INTERVAL = Duration.ofMinutes(50);

    private static final Logger LOG = LoggerFactory.getLogger(Reminders.class);

    private final Kube kube;
    private final Clock clock;
    private final Map<String, Told> told = new ConcurrentHashMap<>();

    private record Told(Notice notice, Instant at) {}

    Reminders(Kube kube, Clock clock) {
        this.kube = kube;
        this.clock = clock;
    }

    /** Writes an Event if this one was not written before, or long ago; the log has it once. */
    void tell(String key, HasMetadata about, Notice notice) {
        Instant now = clock.instant();
        Optional<Told> before = Optional.ofNullable(told.get(key))
                .filter(known -> known.notice().equals(notice));
        if (before.filter(known -> known.at().plus(INTERVAL).isAfter(now)).isPresent()) {
            return;
        }
        told.put(key, new Told(notice, now));
        if (before.isEmpty()) {
            notice.log(LOG);
        }
        kube.tell(about, notice);
    }

    void forget(String key) {
        told.remove(key);
    }

    /** How many objects have an Event with this reason. */
    long count(String reason) {
        return told.values().stream()
                .filter(each -> each.notice().reason().equals(reason))
                .count();
    }
}
