package etcdoperator.store;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.store.Errand.Doing;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Google Cloud Storage, by its JSON API: its own library is larger than all of this operator. */
final class GcsStore implements Store {
    private final GcsClient client;
    private final Place place;
    private final Patience patience;

    GcsStore(StoreAddress address, StoreCredentials credentials, Patience patience) {
        this.client = new GcsClient(address, GcsCredentials.of(credentials));
        this.place = Place.of(address);
        this.patience = patience;
    }

    @Override
    public Upload begin(String path) throws StoreException {
        Errand errand = place.errand(Doing.WRITE, path);
        var parts = new GcsParts(client, place.key(path), errand);
        patience.run(errand, parts::begin);
        return new Upload(parts, errand, patience);
    }

    @Override
    public InputStream open(String path) throws StoreException {
        Errand errand = place.errand(Doing.READ, path);
        String key = place.key(path);
        JsonNode object = object(key, errand).orElseThrow(errand::notFound);
        String generation = object.path("generation").asText();
        URI content = client.object(key, "alt=media&generation=" + generation);
        Ranges ranges = (offset, into, length) -> read(content, offset, into, length, errand);
        return new PartedInput(ranges, object.path("size").asLong(), errand, patience);
    }

    @Override
    public Optional<StoredObject> stat(String path) throws StoreException {
        return object(place.key(path), place.errand(Doing.READ, path)).map(this::stored);
    }

    @Override
    public List<StoredObject> list(String prefix) throws StoreException {
        Errand errand = place.errand(Doing.LIST, prefix);
        List<StoredObject> found = new ArrayList<>();
        String page = "";
        do {
            URI uri = client.list(place.keyPrefix(prefix), page);
            JsonNode answer = patience.run(errand, () -> listed(uri, errand));
            answer.path("items").forEach(item -> found.add(stored(item)));
            page = answer.path("nextPageToken").asText("");
        } while (!page.isEmpty());
        found.removeIf(object -> !Place.flaw(object.path()).isEmpty());
        found.sort(Comparator.comparing(StoredObject::path));
        return found;
    }

    @Override
    public void delete(String path) throws StoreException {
        Errand errand = place.errand(Doing.DELETE, path);
        URI uri = client.object(place.key(path), "");
        patience.run(errand, () -> {
            HttpResponse<String> answer =
                    client.send(HttpRequest.newBuilder(uri).DELETE(), BodyHandlers.ofString(), errand);
            if (answer.statusCode() == 404) {
                client.checkBucket(errand);
            } else if (answer.statusCode() / 100 != 2) {
                throw GcsClient.translated(answer.statusCode(), answer.body(), errand);
            }
        });
    }

    @Override
    public void close() {
        client.close();
    }

    private Optional<JsonNode> object(String key, Errand errand) throws StoreException {
        URI uri = client.object(key, "");
        return patience.run(errand, () -> {
            HttpResponse<String> answer = client.send(HttpRequest.newBuilder(uri), BodyHandlers.ofString(), errand);
            return switch (answer.statusCode()) {
                case 200 -> Optional.of(GcsClient.json(answer.body(), errand));
                case 404 -> {
                    client.checkBucket(errand);
                    yield Optional.empty();
                }
                default -> throw GcsClient.translated(answer.statusCode(), answer.body(), errand);
            };
        });
    }

    private JsonNode listed(URI uri, Errand errand) throws StoreException {
        HttpResponse<String> answer = client.send(HttpRequest.newBuilder(uri), BodyHandlers.ofString(), errand);
        return switch (answer.statusCode()) {
            case 200 -> GcsClient.json(answer.body(), errand);
            case 404 -> throw errand.noBucket();
            default -> throw GcsClient.translated(answer.statusCode(), answer.body(), errand);
        };
    }

    private void read(URI content, long offset, byte[] into, int length, Errand errand) throws StoreException {
        var request = HttpRequest.newBuilder(content)
                .header("Range", "bytes=" + offset + "-" + (offset + length - 1))
                // Else what was stored as gzip may come unpacked, and ranges make no sense.
                .header("Accept-Encoding", "gzip");
        HttpResponse<InputStream> answer = client.send(request, BodyHandlers.ofInputStream(), errand);
        try (InputStream body = answer.body()) {
            if (answer.statusCode() == 404) {
                throw errand.replaced();
            }
            if (answer.statusCode() / 100 != 2) {
                throw GcsClient.translated(answer.statusCode(), "", errand);
            }
            if (body.readNBytes(into, 0, length) < length) {
                throw errand.unreachable("the answer was cut short");
            }
        } catch (StoreException e) {
            throw e;
        } catch (IOException e) {
            throw errand.unreachable(Errand.rootOf(e));
        }
    }

    private StoredObject stored(JsonNode object) {
        return new StoredObject(
                place.path(object.path("name").asText()),
                object.path("size").asLong(),
                Instant.parse(object.path("updated").asText()));
    }
}
