package etcdoperator.etcd.grpc;

import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;

/** The page that is there for Prometheus. */
final class MetricsPage {
    private MetricsPage() {}

    /** @param metrics scheme, host and port of the listener for metrics @param what it is, for people */
    static long read(URI metrics, String name, String what, Duration deadline) throws EtcdException {
        HttpResponse<String> answer = Http.get("metrics", metrics.resolve("/metrics"), deadline);
        if (answer.statusCode() != 200) {
            throw new EtcdException(Kind.NO_ANSWER, "metrics: HTTP " + answer.statusCode());
        }
        String prefix = name + " ";
        return answer.body()
                .lines()
                .filter(line -> line.startsWith(prefix))
                .map(line -> (long) Double.parseDouble(line.substring(prefix.length())))
                .findFirst()
                .orElseThrow(() -> new EtcdException(Kind.REFUSED, "metrics: nothing about " + what));
    }
}
