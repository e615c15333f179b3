package etcdoperator.kube.fabric;

import etcdoperator.kube.ServerClock;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The time by the dates of the API server's own answers, so that it costs no request. Between two answers the monotonic
 * clock goes on, which nobody sets. The lease is renewed every two seconds, so that the last answer is never old.
 */
public final class ResponseDates implements Interceptor, ServerClock {
    private final LongSupplier nanoTime;
    private volatile @Nullable Said last;

    private record Said(Instant date, long nanos) {}

    public ResponseDates(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    @Override
    public void after(HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        String date = response.header("Date");
        if (date != null) {
            hear(date);
        }
    }

    void hear(String date) {
        try {
            last = new Said(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from), nanoTime.getAsLong());
        } catch (DateTimeParseException e) {
            // As good as none.
        }
    }

    @Override
    public Optional<Instant> now() {
        Said said = last;
        return said == null
                ? Optional.empty()
                : Optional.of(said.date.plus(Duration.ofNanos(nanoTime.getAsLong() - said.nanos)));
    }
}
