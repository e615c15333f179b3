package etcdoperator.operator;

import etcdoperator.operator.HttpPort.Answer;
import etcdoperator.operator.Operator.State;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

/** {@code /livez}, {@code /readyz} and {@code /metrics}. */
final class HttpEndpoints implements AutoCloseable {
    /** A pass that hangs is no reason to end all others; but where passes are due and none begins, none ever will. */
    private static final Duration STUCK = Duration.ofMinutes(5);

    private final HttpPort port;
    private final Operator operator;
    private final Metrics metrics;

    HttpEndpoints(int port, Operator operator) throws IOException {
        this.operator = operator;
        this.metrics = new Metrics(operator);
        this.port = new HttpPort(
                port,
                Map.of(
                        "/livez", () -> answer(isLive(), "no pass begins, or a watch has ended"),
                        "/readyz",
                                () -> answer(isReady(), "no leader is known yet, or the caches are being filled"),
                        "/metrics", () -> new Answer(200, metrics.scrape())),
                HttpPort.Limits.USUAL);
    }

    @Override
    public void close() {
        port.close();
    }

    private boolean isLive() {
        return Stream.of(
                                operator.clusterMeter(),
                                operator.peerMeter(),
                                operator.backupWork().backupMeter(),
                                operator.backupWork().scheduleMeter(),
                                operator.backupWork().restoreMeter())
                        .allMatch(meter -> meter.stalled().compareTo(STUCK) < 0)
                && operator.isWatching();
    }

    private boolean isReady() {
        return operator.state() == State.STANDBY || operator.state() == State.RUNNING;
    }

    private static Answer answer(boolean well, String otherwise) {
        return new Answer(well ? 200 : 503, well ? "ok" : otherwise);
    }
}
