package etcdoperator.store;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A resumable upload. Google forgets it by itself after a week, and nobody pays for it. */
final class GcsParts implements Parts {
    /** Tells our object from another one of the same name. */
    private static final String MARK = "etcd-operator-upload";

    private static final Pattern STORED = Pattern.compile("bytes=0-(\\d+)");
    private static final int GO_ON = 308;

    private final GcsClient client;
    private final String key;
    private final Errand errand;
    private final String mark = UUID.randomUUID().toString();
    private @Nullable URI session;
    private boolean asked;

    GcsParts(GcsClient client, String key, Errand errand) {
        this.client = client;
        this.key = key;
        this.errand = errand;
    }

    void begin() throws StoreException {
        var request = HttpRequest.newBuilder(client.uploads(key, generation()))
                .header("Content-Type", "application/json; charset=UTF-8")
                .header("X-Upload-Content-Type", "application/octet-stream")
                .POST(BodyPublishers.ofString("{\"metadata\":{\"" + MARK + "\":\"" + mark + "\"}}"));
        HttpResponse<String> answer = client.send(request, BodyHandlers.ofString(), errand);
        if (answer.statusCode() == 404) {
            throw errand.noBucket();
        }
        if (answer.statusCode() != 200) {
            throw GcsClient.translated(answer.statusCode(), answer.body(), errand);
        }
        session = answer.headers()
                .firstValue("Location")
                .map(URI::create)
                .orElseThrow(() -> errand.refused("no address for the upload"));
    }

    @Override
    public void send(Part part) throws StoreException {
        // Google may keep less than it was sent; the rest is still in memory. What it has already it ignores.
        long stored = part.offset();
        while (stored < part.end()) {
            HttpResponse<String> answer = put(part, stored, "*");
            if (answer.statusCode() != GO_ON) {
                throw refused(answer);
            }
            long now = stored(answer);
            if (now <= stored) {
                throw errand.unreachable("nothing of it was stored");
            }
            stored = now;
        }
    }

    @Override
    public void finish(Part last) throws StoreException {
        if (asked && isComplete()) {
            return;
        }
        asked = true;
        long stored = last.offset();
        while (true) {
            HttpResponse<String> answer = put(last, stored, Long.toString(last.end()));
            if (answer.statusCode() / 100 == 2) {
                return;
            }
            if (answer.statusCode() != GO_ON) {
                throw refused(answer);
            }
            long now = stored(answer);
            if (now <= stored) {
                throw errand.unreachable("nothing of it was stored");
            }
            stored = now;
        }
    }

    @Override
    public void abort() throws StoreException {
        if (session != null) {
            client.send(HttpRequest.newBuilder(session).DELETE(), BodyHandlers.discarding(), errand);
        }
    }

    /** Of what is there now, and no other may be replaced; 0 is nothing, and empty that we may not know. */
    private String generation() throws StoreException {
        HttpResponse<String> answer = object();
        return switch (answer.statusCode()) {
            case 200 -> GcsClient.json(answer.body(), errand).path("generation").asText();
            case 404 -> "0";
            case 401, 403 -> "";
            default -> throw GcsClient.translated(answer.statusCode(), answer.body(), errand);
        };
    }

    private HttpResponse<String> object() throws StoreException {
        return client.send(HttpRequest.newBuilder(client.object(key, "")), BodyHandlers.ofString(), errand);
    }

    private HttpResponse<String> put(Part part, long from, String total) throws StoreException {
        if (session == null) {
            throw new IllegalStateException("no session");
        }
        int skipped = (int) (from - part.offset());
        int length = part.length() - skipped;
        String range = length == 0 ? "bytes */" + total : "bytes " + from + "-" + (part.end() - 1) + "/" + total;
        var request = HttpRequest.newBuilder(session)
                .header("Content-Range", range)
                .PUT(length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(part.bytes(), skipped, length));
        return client.send(request, BodyHandlers.ofString(), errand);
    }

    /** How much of the object Google has; without that header, nothing. */
    private static long stored(HttpResponse<?> answer) {
        return answer.headers()
                .firstValue("Range")
                .map(STORED::matcher)
                .filter(Matcher::matches)
                .map(range -> Long.parseLong(range.group(1)) + 1)
                .orElse(0L);
    }

    private StoreException refused(HttpResponse<String> answer) {
        boolean forgotten = answer.statusCode() == 404 || answer.statusCode() == 410;
        return forgotten
                ? errand.broken("Google has forgotten the upload: try again")
                : GcsClient.translated(answer.statusCode(), answer.body(), errand);
    }

    /** Sent to the end before, and no answer: it may have been done all the same. */
    private boolean isComplete() throws StoreException {
        HttpResponse<String> answer = object();
        if (answer.statusCode() != 200) {
            return false;
        }
        JsonNode object = GcsClient.json(answer.body(), errand);
        return mark.equals(object.at("/metadata/" + MARK).asText());
    }
}
