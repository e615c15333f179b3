package etcdoperator.etcd.grpc;

import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/** The page that is there for Prometheus. */
final class MetricsPage {
    private MetricsPage() {}

    /** @param metrics scheme, host and port of the listener for metrics @param what it is, for people */
    static long read(URI metrics, String name, String what, Duration deadline) throws EtcdException {
        HttpResponse<Optional<String>> answer =
                Http.get("metrics", metrics.resolve("/metrics"), Bounded.lineWith(name + " "), deadline);
        if (answer.statusCode() != 200) {
            throw new EtcdException(Kind.NO_ANSWER, "metrics: HTTP " + answer.statusCode());
        }
        try {
            return (long) Double.parseDouble(answer.body()
                    .orElseThrow(() -> new EtcdException(Kind.REFUSED, "metrics: nothing about " + what)));
        } catch (NumberFormatException e) {
            throw new EtcdException(Kind.REFUSED, "metrics: no number about " + what, e);
        }
    }
}
