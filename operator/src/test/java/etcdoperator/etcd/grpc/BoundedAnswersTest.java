package etcdoperator.etcd.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What calls itself a member may send as much as it likes, as slowly as it likes. */
@Timeout(60)
class BoundedAnswersTest {
    private static final Duration DEADLINE = Duration.ofSeconds(3);
    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 100000000000\r\n\r\n";

    private final AtomicLong sent = new AtomicLong();
    private final ServerSocket server;
    private volatile Sending sending = out -> {};

    private interface Sending {
        void to(OutputStream out) throws IOException, InterruptedException;
    }

    BoundedAnswersTest() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                try (Socket socket = server.accept()) {
                    sending.to(socket.getOutputStream());
                } catch (IOException e) {
                    // The reader has had enough.
                } catch (InterruptedException e) {
                    return;
                }
            }
        });
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private void sends(String text) {
        sending = out -> out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    private void sendsWithoutEnd(String head, byte what) {
        sending = out -> {
            out.write(head.getBytes(StandardCharsets.UTF_8));
            byte[] part = new byte[65536];
            Arrays.fill(part, what);
            while (true) {
                out.write(part);
                sent.addAndGet(part.length);
            }
        };
    }

    private long metric() throws EtcdException {
        return MetricsPage.read(
                URI.create("http://127.0.0.1:" + server.getLocalPort()), "etcd_wanted", "what is wanted", DEADLINE);
    }

    private boolean hasKeys() throws EtcdException {
        return new HttpV2Keys().existAt(Endpoint.plain("127.0.0.1", server.getLocalPort()), DEADLINE);
    }

    private static String page(String body) {
        return "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s".formatted(body.length(), body);
    }

    @Test
    void theMetricIsFound() throws Exception {
        sends(page("# HELP etcd_wanted this\netcd_wanted_other 1\netcd_wanted 4.2e+01\netcd_wanted 7\n"));
        assertThat(metric()).isEqualTo(42);
        sends(page("etcd_wanted 3"));
        assertThat(metric()).isEqualTo(3);
    }

    @Test
    void aMetricThatIsMissingOrNoNumberIsRefused() {
        sends(page("etcd_other 1\n"));
        assertThatThrownBy(this::metric).isInstanceOf(EtcdException.class).hasMessageContaining("nothing about");
        sends(page("etcd_wanted many\n"));
        assertThatThrownBy(this::metric).isInstanceOf(EtcdException.class).hasMessageContaining("no number");
    }

    @Test
    void aPageWithoutEndIsReadSoFar() {
        sendsWithoutEnd(HEAD, (byte) '\n');
        assertThatThrownBy(this::metric).isInstanceOf(EtcdException.class);
        assertThat(sent.get()).isLessThan(64L * 1024 * 1024);
    }

    @Test
    void aLineWithoutEndIsNotKept() {
        sendsWithoutEnd(HEAD, (byte) 'x');
        assertThatThrownBy(this::metric).isInstanceOf(EtcdException.class);
        assertThat(sent.get()).isLessThan(64L * 1024 * 1024);
    }

    @Test
    void headersWithoutEndAreNotRead() {
        sendsWithoutEnd("HTTP/1.1 200 OK\r\nA: ", (byte) 'x');
        assertThatThrownBy(this::metric).isInstanceOf(EtcdException.class);
        assertThat(sent.get()).isLessThan(64L * 1024 * 1024);
    }

    /** The head came in time, so that the client itself would wait for ever. */
    @Test
    void aBodyThatComesByTheByteHasTheSameTime() {
        sending = out -> {
            out.write(HEAD.getBytes(StandardCharsets.UTF_8));
            while (true) {
                out.write('x');
                out.flush();
                Thread.sleep(100);
            }
        };
        long began = System.nanoTime();
        assertThatThrownBy(this::metric).isInstanceOf(EtcdException.class).hasMessageContaining("in time");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(DEADLINE.plusSeconds(5));
    }

    @Test
    void aRootThatIsTooLongToBeEmptyHasKeys() throws Exception {
        sendsWithoutEnd(HEAD, (byte) ' ');
        assertThat(hasKeys()).isTrue();
        assertThat(sent.get()).isLessThan(64L * 1024 * 1024);
        sends(page("{\"action\":\"get\",\"node\":{\"dir\":true}}"));
        assertThat(hasKeys()).isFalse();
        sends(page("{\"node\":{\"dir\":true,\"nodes\":[{\"key\":\"/a\"}]}}"));
        assertThat(hasKeys()).isTrue();
    }

    @Test
    void aHandshakeThatComesByTheByteHasItsTime() {
        sending = out -> {
            out.write(new byte[] {22, 3, 3, 64, 0, 2, 0, 63, (byte) 252});
            while (true) {
                out.write('x');
                out.flush();
                Thread.sleep(100);
            }
        };
        long began = System.nanoTime();
        assertThatThrownBy(() -> new TlsSight()
                        .issuerAt(
                                Endpoint.plain("127.0.0.1", server.getLocalPort()), server.getLocalPort(), DEADLINE))
                .isInstanceOf(EtcdException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(DEADLINE.plusSeconds(5));
    }
}
