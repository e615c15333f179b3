package etcdoperator.training;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** An API server that keeps what it is given and knows no rules. */
final class ApiServer {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, ObjectNode> objects = new TreeMap<>();
    private final List<Watcher> watchers = new ArrayList<>();
    private final BiConsumer<String, ObjectNode> whenCreated;
    private long resourceVersion = 1;

    /** Tells of each new object, by its path. */
    ApiServer(BiConsumer<String, ObjectNode> whenCreated) {
        this.whenCreated = whenCreated;
    }

    synchronized int size() {
        return objects.size();
    }

    private record Request(String method, String path, String query, Map<String, String> headers, byte[] body) {
        ObjectNode json() throws IOException {
            // A JSON patch is a list: its effect does not matter here.
            return JSON.readTree(body) instanceof ObjectNode object ? object : JSON.createObjectNode();
        }
    }

    private record Watcher(String plural, OutputStream out) {
        /** One unmasked WebSocket text frame. */
        void send(ObjectNode event) throws IOException {
            byte[] bytes = JSON.writeValueAsBytes(event);
            var frame = new ByteArrayOutputStream();
            var data = new DataOutputStream(frame);
            data.writeByte(0x81);
            if (bytes.length > 0xffff) {
                data.writeByte(127);
                data.writeLong(bytes.length);
            } else { // an event is never shorter than 126 bytes
                data.writeByte(126);
                data.writeShort(bytes.length);
            }
            data.write(bytes);
            out.write(frame.toByteArray());
        }
    }

    void serve(ServerSocket server) {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> converse(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    /** HTTP by hand, because a watch turns its connection into a WebSocket. */
    private void converse(Socket socket) {
        try (socket) {
            var in = new BufferedInputStream(socket.getInputStream());
            for (Request request = read(in); request != null; request = read(in)) {
                if (request.query().contains("watch=true")) {
                    upgrade(request, socket.getOutputStream());
                    in.transferTo(OutputStream.nullOutputStream());
                    return;
                }
                answer(request, socket.getOutputStream());
            }
        } catch (IOException gone) {
            // the operator has stopped
        }
    }

    private static @Nullable Request read(InputStream in) throws IOException {
        String[] first = line(in).split(" ");
        if (first.length < 2) {
            return null;
        }
        var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            String[] pair = header.split(": *", 2);
            headers.put(pair[0], pair[1]);
        }
        byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("Content-Length", "0")));
        String[] target = first[1].split("\\?", 2);
        return new Request(first[0], target[0], target.length > 1 ? target[1] : "", headers, body);
    }

    private static String line(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            line.write(c);
        }
        return line.toString(UTF_8).stripTrailing();
    }

    private void answer(Request request, OutputStream out) throws IOException {
        String path = request.path().replaceFirst("/(status|scale)$", "");
        switch (request.method()) {
            case "POST" -> {
                var object = request.json();
                reply(
                        out,
                        "201 Created",
                        store(path + "/" + object.at("/metadata/name").asText(), object));
            }
            case "PUT", "PATCH" -> reply(out, "200 OK", store(path, request.json()));
            case "DELETE" -> reply(out, "200 OK", JSON.createObjectNode().put("kind", "Status"));
            default -> {
                var found = isCollection(path) ? list(path) : find(path);
                reply(out, found.path("code").asInt(200) == 404 ? "404 Not Found" : "200 OK", found);
            }
        }
    }

    private static void reply(OutputStream out, String status, ObjectNode body) throws IOException {
        byte[] bytes = JSON.writeValueAsBytes(body);
        String head = "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n";
        out.write(head.formatted(status, bytes.length).getBytes(UTF_8));
        out.write(bytes);
    }

    private synchronized void upgrade(Request request, OutputStream out) throws IOException {
        String key = request.headers().getOrDefault("Sec-WebSocket-Key", "");
        String accept = sha1(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
        String head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: " + accept + "\r\n\r\n";
        out.write(head.getBytes(UTF_8));
        watchers.add(new Watcher(plural(request.path()), out));
    }

    private static String sha1(String text) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-1").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A path is /apis/GROUP/VERSION or /api/v1, maybe /namespaces/NS, then /PLURAL, then maybe /NAME. */
    private static String withinGroup(String path) {
        return path.replaceFirst("^(/apis/[^/]+/[^/]+|/api/v1)(/namespaces/[^/]+(?=/))?", "");
    }

    private static boolean isCollection(String path) {
        return withinGroup(path).lastIndexOf('/') == 0;
    }

    private static String plural(String path) {
        return withinGroup(path).split("/")[1];
    }

    private synchronized ObjectNode find(String path) {
        var found = objects.get(path);
        return found != null
                ? found
                : JSON.createObjectNode()
                        .put("kind", "Status")
                        .put("status", "Failure")
                        .put("code", 404);
    }

    private synchronized ObjectNode list(String path) {
        var list = JSON.createObjectNode().put("kind", "List").put("apiVersion", "v1");
        list.putObject("metadata").put("resourceVersion", Long.toString(resourceVersion));
        var items = list.putArray("items");
        objects.forEach((key, object) -> {
            if (plural(key).equals(plural(path))) {
                items.add(object);
            }
        });
        return list;
    }

    synchronized ObjectNode store(String path, ObjectNode patch) throws IOException {
        var known = objects.get(path);
        ObjectNode object =
                known == null ? patch : JSON.readerForUpdating(known.deepCopy()).readValue(patch);
        var metadata = object.withObject("/metadata");
        metadata.put("name", path.substring(path.lastIndexOf('/') + 1));
        metadata.put("namespace", path.replaceFirst(".*/namespaces/([^/]+)/.*", "$1"));
        metadata.put("uid", UUID.nameUUIDFromBytes(path.getBytes(UTF_8)).toString());
        metadata.put("resourceVersion", Long.toString(++resourceVersion));
        metadata.put("generation", 1).put("creationTimestamp", "2026-01-01T00:00:00Z");
        objects.put(path, object);
        var event = JSON.createObjectNode().put("type", known == null ? "ADDED" : "MODIFIED");
        event.set("object", object);
        for (var watcher : watchers) {
            if (watcher.plural().equals(plural(path))) {
                watcher.send(event);
            }
        }
        if (known == null) {
            whenCreated.accept(path, object);
        }
        return object;
    }
}
