package etcdoperator.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * Java's own connections for Amazon's library. The library has such a client, too, but it sends bodies in pieces of 4
 * KiB, and for a large database that is as much work as all the rest.
 */
final class S3Http implements SdkHttpClient {
    /** As much as Java gives to the system at once. */
    private static final int PIECE = 128 << 10;

    private final Duration silence;
    private final Duration connect;

    S3Http(Duration silence, Duration connect) {
        this.silence = silence;
        this.connect = connect;
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        return new Exchange(request);
    }

    @Override
    public String clientName() {
        return "UrlConnection";
    }

    /** Connections that nobody uses are Java's to close. */
    @Override
    public void close() {}

    private final class Exchange implements ExecutableHttpRequest {
        private final HttpExecuteRequest request;
        private volatile Optional<HttpURLConnection> connection = Optional.empty();

        Exchange(HttpExecuteRequest request) {
            this.request = request;
        }

        @Override
        public HttpExecuteResponse call() throws IOException {
            HttpURLConnection opened = open(request.httpRequest());
            connection = Optional.of(opened);
            if (request.contentStreamProvider().isPresent()) {
                send(request.contentStreamProvider().get(), opened);
            }
            return answer(opened);
        }

        @Override
        public void abort() {
            connection.ifPresent(HttpURLConnection::disconnect);
        }
    }

    private HttpURLConnection open(SdkHttpRequest request) throws IOException {
        var connection = (HttpURLConnection) request.getUri().toURL().openConnection();
        request.forEachHeader((name, values) -> values.forEach(value -> connection.addRequestProperty(name, value)));
        connection.setRequestMethod(request.method().name());
        connection.setConnectTimeout((int) connect.toMillis());
        connection.setReadTimeout((int) silence.toMillis());
        connection.setUseCaches(false);
        connection.setInstanceFollowRedirects(false);
        // Else Java would keep all of a body, and send it once more if it thinks fit.
        request.firstMatchingHeader("Content-Length")
                .map(Long::parseLong)
                .filter(length -> length > 0)
                .ifPresent(length -> {
                    connection.setDoOutput(true);
                    connection.setFixedLengthStreamingMode(length);
                });
        return connection;
    }

    private static void send(ContentStreamProvider body, HttpURLConnection connection) throws IOException {
        if (!connection.getDoOutput()) {
            return;
        }
        try (InputStream in = body.newStream();
                OutputStream out = connection.getOutputStream()) {
            byte[] piece = new byte[PIECE];
            for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                out.write(piece, 0, length);
            }
        } catch (ProtocolException e) {
            // Refused before the body was sent, if the answer says so; the answer is then all that counts.
            if (connection.getResponseCode() < HttpURLConnection.HTTP_MULT_CHOICE) {
                throw e;
            }
        }
    }

    private static HttpExecuteResponse answer(HttpURLConnection connection) throws IOException {
        int status = connection.getResponseCode();
        InputStream body = status >= HttpURLConnection.HTTP_BAD_REQUEST
                ? connection.getErrorStream()
                : connection.getInputStream();
        var answer = HttpExecuteResponse.builder()
                .response(SdkHttpResponse.builder()
                        .statusCode(status)
                        .statusText(connection.getResponseMessage())
                        .headers(headers(connection))
                        .build());
        if (body != null && !connection.getRequestMethod().equals("HEAD")) {
            answer.responseBody(AbortableInputStream.create(body, connection::disconnect));
        }
        return answer.build();
    }

    /** Without the status, which Java puts among them under no name. */
    private static Map<String, List<String>> headers(HttpURLConnection connection) {
        Map<String, List<String>> named = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        connection.getHeaderFields().forEach((name, values) -> {
            if (name != null) {
                named.put(name, values);
            }
        });
        return named;
    }
}
