package etcdoperator.operator;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers GET for a few paths, one request for each connection. Anybody in the cluster may connect, so a connection has
 * little time and room, and there are only so many: one more ends the oldest, which a request that is sent and read at
 * once never is.
 */
final class HttpPort implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpPort.class);
    private static final int LONGEST_REQUEST = 8 * 1024;
    private static final Duration CLEANING = Duration.ofMillis(500);

    private final Map<String, Supplier<Answer>> pages;
    private final Limits limits;
    private final ServerSocket door;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("http-timer").factory());

    /** With the time when each began, the oldest first. */
    private final Map<Socket, Long> open = new LinkedHashMap<>();

    /**
     * How much is borne.
     *
     * @param connections at once
     * @param time for a request and its answer
     */
    record Limits(int connections, Duration time) {
        static final Limits USUAL = new Limits(64, Duration.ofSeconds(5));
    }

    /** What a path answers. */
    record Answer(int status, String text) {}

    HttpPort(int port, Map<String, Supplier<Answer>> pages, Limits limits) throws IOException {
        this.pages = pages;
        this.limits = limits;
        this.door = new ServerSocket(port);
        timer.scheduleAtFixedRate(
                this::endOverdue, CLEANING.toMillis(), CLEANING.toMillis(), TimeUnit.MILLISECONDS);
        Thread.ofPlatform().daemon().name("http").start(this::acceptAll);
    }

    int port() {
        return door.getLocalPort();
    }

    @Override
    public void close() {
        end(door);
        timer.shutdownNow();
        synchronized (open) {
            open.keySet().forEach(HttpPort::end);
        }
        threads.shutdownNow();
    }

    private void acceptAll() {
        while (!door.isClosed()) {
            try {
                Socket socket = door.accept();
                admit(socket);
                threads.execute(() -> serve(socket));
            } catch (IOException | RuntimeException e) {
                LOG.debug("No connection: {}", e.toString());
            }
        }
    }

    private void admit(Socket socket) {
        synchronized (open) {
            open.put(socket, System.nanoTime());
            if (open.size() > limits.connections) {
                Socket oldest = open.keySet().iterator().next();
                open.remove(oldest);
                end(oldest);
            }
        }
    }

    private void endOverdue() {
        long before = System.nanoTime() - limits.time.toNanos();
        List<Socket> overdue = new ArrayList<>();
        synchronized (open) {
            open.forEach((socket, began) -> {
                if (began - before <= 0) {
                    overdue.add(socket);
                }
            });
        }
        overdue.forEach(HttpPort::end);
    }

    private static void end(AutoCloseable connection) {
        try {
            connection.close();
        } catch (Exception e) {
            LOG.debug("Not closed: {}", e.toString());
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            write(socket.getOutputStream(), answer(firstLine(socket.getInputStream())));
        } catch (IOException e) {
            LOG.debug("A connection has ended: {}", e.toString());
        } finally {
            synchronized (open) {
                open.remove(socket);
            }
        }
    }

    private Answer answer(String request) {
        String[] words = request.split(" ");
        if (words.length != 3) {
            return new Answer(400, "not a request");
        }
        if (!words[0].equals("GET")) {
            return new Answer(405, "only GET");
        }
        Supplier<Answer> page = pages.get(words[1].split("\\?", 2)[0]);
        if (page == null) {
            return new Answer(404, "no such path");
        }
        try {
            return page.get();
        } catch (RuntimeException e) {
            LOG.warn("{} failed: {}", words[1], e.toString(), e);
            return new Answer(500, "failed; the log says why");
        }
    }

    /** Reads on to the end of the head, or the client would not hear the answer. Empty if that is too far. */
    private static String firstLine(InputStream in) throws IOException {
        var buffered = new BufferedInputStream(in, 1024);
        var head = new StringBuilder();
        for (int next = buffered.read(); next >= 0 && head.length() < LONGEST_REQUEST; next = buffered.read()) {
            head.append((char) next);
            if (next == '\n' && (head.indexOf("\r\n\r\n") >= 0 || head.indexOf("\n\n") >= 0)) {
                return head.substring(0, head.indexOf("\n")).strip();
            }
        }
        return "";
    }

    private static void write(OutputStream out, Answer answer) throws IOException {
        byte[] body = answer.text().getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 %d %s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
                .formatted(answer.status(), answer.status() == 200 ? "OK" : "Failed", body.length);
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.write(body);
        out.flush();
    }
}
