package etcdoperator.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Asks Google's JSON API, as somebody. */
final class GcsClient implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String HOME = "https://storage.googleapis.com";
    private static final Duration CONNECT = Duration.ofSeconds(10);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .executor(threads)
            .build();
    private final GcsCredentials credentials;
    private final String base;
    private final String bucket;

    GcsClient(StoreAddress address, GcsCredentials credentials) {
        this.credentials = credentials;
        this.base = address.endpoint().map(URI::toString).orElse(HOME);
        this.bucket = address.bucket();
    }

    URI object(String key, String query) {
        return URI.create(bucketUrl() + "/o/" + encoded(key) + (query.isEmpty() ? "" : "?" + query));
    }

    URI list(String keyPrefix, String page) {
        return URI.create(bucketUrl() + "/o?fields=items(name,size,updated),nextPageToken&maxResults=1000&prefix="
                + encoded(keyPrefix) + (page.isEmpty() ? "" : "&pageToken=" + encoded(page)));
    }

    /** @param generation of the object that may be replaced; empty for any */
    URI uploads(String key, String generation) {
        return URI.create(base + "/upload/storage/v1/b/" + encoded(bucket) + "/o?uploadType=resumable&name="
                + encoded(key) + (generation.isEmpty() ? "" : "&ifGenerationMatch=" + generation));
    }

    <T> HttpResponse<T> send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> body, Errand errand)
            throws StoreException {
        request.header("Authorization", "Bearer " + credentials.token(errand));
        try {
            return http.send(request.build(), body);
        } catch (IOException e) {
            throw errand.unreachable(Errand.rootOf(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw errand.interrupted();
        }
    }

    /** After "not found", which may mean either. Who may not ask for the bucket gets the benefit of the doubt. */
    void checkBucket(Errand errand) throws StoreException {
        var request = HttpRequest.newBuilder(URI.create(bucketUrl() + "?fields=name"));
        if (send(request, BodyHandlers.discarding(), errand).statusCode() == 404) {
            throw errand.noBucket();
        }
    }

    static StoreException translated(int status, String body, Errand errand) {
        String reason = reason(status, body);
        return switch (status) {
            case 401, 403 -> reason.endsWith("rateLimitExceeded") ? errand.unreachable(reason) : errand.denied(reason);
            case 404 -> errand.notFound();
            case 412 -> errand.replaced();
            case 408, 429 -> errand.unreachable(reason);
            default -> status >= 500 ? errand.unreachable(reason) : errand.refused(reason);
        };
    }

    static JsonNode json(String body, Errand errand) throws StoreException {
        try {
            return JSON.readTree(body);
        } catch (JsonProcessingException e) {
            throw errand.refused("the answer is no JSON");
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public void close() {
        http.shutdownNow();
        threads.shutdownNow();
    }

    private String bucketUrl() {
        return base + "/storage/v1/b/" + encoded(bucket);
    }

    /** One word of Google's; the message beside it may quote anything. */
    private static String reason(int status, String body) {
        try {
            String reason = JSON.readTree(body).at("/error/errors/0/reason").asText("");
            return "HTTP " + status + (reason.isEmpty() ? "" : " " + reason);
        } catch (JsonProcessingException e) {
            return "HTTP " + status;
        }
    }
}
