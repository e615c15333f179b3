package etcdoperator.etcd.grpc;

import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The page that is there for Prometheus. */
final class MetricsPage {
    private final List<String> lines;

    private MetricsPage(List<String> lines) {
        this.lines = lines;
    }

    /** @param metrics scheme, host and port of the listener for metrics */
    static MetricsPage at(URI metrics, Duration deadline) throws EtcdException {
        HttpResponse<String> answer = Http.get("metrics", metrics.resolve("/metrics"), deadline);
        if (answer.statusCode() != 200) {
            throw new EtcdException(Kind.NO_ANSWER, "metrics: HTTP " + answer.statusCode());
        }
        return of(answer.body());
    }

    static MetricsPage of(String text) {
        return new MetricsPage(
                text.lines().filter(line -> line.startsWith("etcd_")).toList());
    }

    /** @param what it is, for people */
    long required(String name, String what) throws EtcdException {
        return number(name).orElseThrow(() -> new EtcdException(Kind.REFUSED, "metrics: nothing about " + what));
    }

    Optional<Long> number(String name) {
        String prefix = name + " ";
        return lines.stream()
                .filter(line -> line.startsWith(prefix))
                .map(line -> (long) Double.parseDouble(line.substring(prefix.length())))
                .findFirst();
    }

    /** The values of a metric by one of its labels. */
    Map<String, Long> numbers(String name, String label) {
        Pattern pattern = Pattern.compile(
                Pattern.quote(name) + "\\{(?:[^}]*,)?" + Pattern.quote(label) + "=\"([^\"]*)\"[^}]*} (\\S+)");
        Map<String, Long> numbers = new TreeMap<>();
        for (String line : lines) {
            Matcher matcher = pattern.matcher(line);
            if (matcher.matches()) {
                numbers.put(matcher.group(1), (long) Double.parseDouble(matcher.group(2)));
            }
        }
        return numbers;
    }
}
