package etcdoperator.kube.fabric;

import etcdoperator.kube.Notice;
import etcdoperator.kube.Tally;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes Events in the order they were told, beside the loop. The same sentence said again renews its Event. */
final class EventWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventWriter.class);
    private static final String COMPONENT = "etcd-operator";
    private static final int LONGEST_MESSAGE = 1024;
    private static final int LONGEST_LINE = 1000;

    private final KubernetesClient client;
    private final Clock clock;
    private final String instance;
    private final Tally tally = new Tally();

    /** An Event that finds the line full is dropped: it never stops anything, and must not fill the memory. */
    private final ExecutorService line = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(LONGEST_LINE),
            Thread.ofVirtual().name("events").factory(),
            new ThreadPoolExecutor.DiscardPolicy());

    EventWriter(KubernetesClient client, Clock clock, String instance) {
        this.client = client;
        this.clock = clock;
        this.instance = instance;
    }

    Tally tally() {
        return tally;
    }

    void write(HasMetadata about, Notice notice) {
        tally.count(notice);
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        Event event = event(about, notice, now.toString());
        line.execute(() -> createOrRenew(event, now));
    }

    @Override
    public void close() {
        line.shutdown();
        try {
            if (!line.awaitTermination(2, TimeUnit.SECONDS)) {
                LOG.warn("Some Events were not written before the end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void createOrRenew(Event event, Instant now) {
        try {
            try {
                client.resource(event).create();
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                    throw e;
                }
                String patch = client.getKubernetesSerialization().asJson(Map.of("lastTimestamp", now.toString()));
                client.resource(event).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
            }
        } catch (KubernetesClientException e) {
            // Expected while a namespace is being deleted; never a reason to stop.
            LOG.debug("Event \"{}\" was not written: {}", event.getMessage(), e.getMessage());
        }
    }

    private Event event(HasMetadata about, Notice notice, String now) {
        String message = notice.message().length() > LONGEST_MESSAGE
                ? notice.message().substring(0, LONGEST_MESSAGE - 1) + "…"
                : notice.message();
        int hash = Objects.hash(about.getMetadata().getUid(), notice.reason(), message);
        return new EventBuilder()
                .withNewMetadata()
                .withNamespace(about.getMetadata().getNamespace())
                .withName(about.getMetadata().getName() + "." + Integer.toHexString(hash))
                .endMetadata()
                .withNewInvolvedObject()
                .withApiVersion(about.getApiVersion())
                .withKind(about.getKind())
                .withNamespace(about.getMetadata().getNamespace())
                .withName(about.getMetadata().getName())
                .withUid(about.getMetadata().getUid())
                .endInvolvedObject()
                .withType(notice.type().word())
                .withReason(notice.reason())
                .withMessage(message)
                .withFirstTimestamp(now)
                .withLastTimestamp(now)
                .withCount(1)
                .withNewSource()
                .withComponent(COMPONENT)
                .endSource()
                .withReportingComponent(COMPONENT)
                .withReportingInstance(instance)
                .build();
    }
}
