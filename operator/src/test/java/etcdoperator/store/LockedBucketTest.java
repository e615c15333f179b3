package etcdoperator.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import etcdoperator.store.StoreCredentials.AccessKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A bucket with a lock takes nothing without a checksum; no server that runs here has one, so this one says what S3 does. */
class LockedBucketTest {
    private static final String REFUSAL =
            "<Error><Code>InvalidRequest</Code><Message>Content-MD5 OR x-amz-checksum- HTTP"
                    + " header is required for Put Object requests with Object Lock parameters</Message></Error>";

    private final List<String> taken = new CopyOnWriteArrayList<>();
    private final List<String> refused = new CopyOnWriteArrayList<>();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void whoIsAskedForAChecksumSendsIt() throws IOException {
        write(1000);
        assertThat(refused).containsExactly("PUT");
        assertThat(taken).contains("PUT");
    }

    @Test
    void onlyTheFirstPartsAreRefused() throws IOException {
        write(4 * Part.USUAL_SIZE);
        assertThat(refused).hasSizeBetween(1, 2);
        assertThat(taken).filteredOn("PUT"::equals).hasSize(4);
    }

    private void write(int size) throws IOException {
        String endpoint = "http://127.0.0.1:" + server.getAddress().getPort();
        StoreAddress address = StoreAddress.parse("s3://locked", endpoint, null, null);
        try (Store store = Store.in(address, new AccessKey("tester", "secret", Optional.empty()));
                Upload upload = store.begin("x.db")) {
            upload.write(new byte[size]);
            upload.complete();
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String method = exchange.getRequestMethod();
        if (method.equals("PUT")
                && !md5(body).equals(exchange.getRequestHeaders().getFirst("Content-MD5"))) {
            refused.add(method);
            say(exchange, 400, REFUSAL);
            return;
        }
        taken.add(method);
        exchange.getResponseHeaders().set("ETag", "\"" + taken.size() + "\"");
        say(
                exchange,
                200,
                switch (method) {
                    case "GET" -> "<ListMultipartUploadsResult/>";
                    case "POST" ->
                        "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>";
                    default -> "";
                });
    }

    private static void say(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static String md5(byte[] bytes) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("MD5").digest(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
