package etcdoperator.store;

import etcdoperator.contract.etcd.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/** fake-gcs-server. It asks nobody who they are, so that is done by those who give tokens. */
class RealGcsStoreIT extends ServerContract {
    @TempDir
    Path folder;

    @Override
    StoreStage open() {
        return new FakeGcs(folder);
    }

    @Override
    Store hurried() {
        FakeGcs google = (FakeGcs) stage;
        return Store.in(google.address("backups"), google.tokens.right(), HURRY);
    }

    /** The server makes a bucket for whoever names one. */
    @Override
    void checkUploadToMissingBucket(Store nowhere) {}

    private static final class FakeGcs implements ServerStage {
        private final GoogleTokens tokens = new GoogleTokens();
        private final int port;
        private final ServerProcess process;
        private final CutProxy way;

        FakeGcs(Path folder) {
            List<Integer> ports = FreePorts.take(2);
            port = ports.getFirst();
            process = new ServerProcess(
                    List.of(
                            ServerProcess.program("fake-gcs-server").toString(),
                            "-scheme=http",
                            "-host=127.0.0.1",
                            "-port=" + ports.getLast(),
                            "-backend=memory",
                            "-log-level=error"),
                    Map.of(),
                    folder.resolve("log"),
                    ports.getLast());
            way = new CutProxy(port, ports.getLast());
            createBucket();
        }

        StoreAddress address(String bucket) {
            return StoreAddress.parse("gs://" + bucket, "http://127.0.0.1:" + port, null, null);
        }

        @Override
        public Store store() {
            return Store.in(address("backups"), tokens.right());
        }

        @Override
        public Store missingBucket() {
            return Store.in(address("missing"), tokens.right());
        }

        @Override
        public Store wrongCredentials() {
            return Store.in(address("backups"), tokens.wrong());
        }

        @Override
        public String secret() {
            return GoogleTokens.secret();
        }

        /** There is no way to ask. */
        @Override
        public int partsLeft(String path) {
            return 0;
        }

        @Override
        public String[] whereabouts() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void cutOff() {
            way.cut();
        }

        @Override
        public void comeBack() {
            way.open();
        }

        @Override
        public void close() {
            way.close();
            process.kill();
            tokens.close();
        }

        private void createBucket() {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/storage/v1/b?project=p"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"name\":\"backups\"}"))
                    .build();
            try (HttpClient http = HttpClient.newHttpClient()) {
                HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() != 200) {
                    throw new AssertionError(answer.body());
                }
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
