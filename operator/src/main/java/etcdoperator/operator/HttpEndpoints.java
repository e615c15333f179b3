package etcdoperator.operator;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import etcdoperator.operator.Operator.State;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/** {@code /livez}, {@code /readyz} and {@code /metrics}. */
final class HttpEndpoints implements AutoCloseable {
    /** No pass waits for the world, so one that takes this long will never end. */
    private static final Duration STUCK = Duration.ofMinutes(5);

    private final HttpServer server;
    private final Operator operator;
    private final Metrics metrics;

    HttpEndpoints(int port, Operator operator) throws IOException {
        this.operator = operator;
        this.metrics = new Metrics(operator);
        this.server = HttpServer.create(new InetSocketAddress(port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/livez", exchange -> answer(exchange, isLive(), "a pass or a watch hangs"));
        server.createContext(
                "/readyz",
                exchange -> answer(exchange, isReady(), "no leader is known yet, or the caches are being filled"));
        server.createContext("/metrics", exchange -> respond(exchange, 200, metrics.scrape()));
        server.start();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private boolean isLive() {
        return Stream.of(
                                operator.clusterMeter(),
                                operator.peerMeter(),
                                operator.backupWork().backupMeter(),
                                operator.backupWork().scheduleMeter(),
                                operator.backupWork().restoreMeter())
                        .allMatch(meter -> meter.oldestUnderWay().compareTo(STUCK) < 0)
                && operator.isWatching();
    }

    private boolean isReady() {
        return operator.state() == State.STANDBY || operator.state() == State.RUNNING;
    }

    private static void answer(HttpExchange exchange, boolean well, String otherwise) throws IOException {
        respond(exchange, well ? 200 : 503, well ? "ok" : otherwise);
    }

    private static void respond(HttpExchange exchange, int code, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
        exchange.sendResponseHeaders(code, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }
}
