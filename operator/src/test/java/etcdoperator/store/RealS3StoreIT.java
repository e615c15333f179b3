package etcdoperator.store;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.contract.etcd.FreePorts;
import etcdoperator.store.StoreCredentials.AccessKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.S3Client;

/** versitygw, a gateway from S3 to files. */
class RealS3StoreIT extends ServerContract {
    @TempDir
    Path folder;

    @Override
    StoreStage open() {
        return new Gateway(folder);
    }

    @Override
    Store hurried() {
        Gateway gateway = (Gateway) stage;
        return Store.in(gateway.address("backups"), Gateway.KEY, HURRY);
    }

    @Test
    void littleMemoryWillDo() {
        assertThat(BigTransfer.inLittleMemory(stage.whereabouts())).contains("as it was sent");
    }

    @Test
    void aPrefixIsAPlaceOfItsOwn() throws IOException {
        Gateway gateway = (Gateway) stage;
        try (Store inside = Store.in(gateway.address("backups/team/a"), Gateway.KEY)) {
            store(inside, PATH, bytes(1, 10));
            store("team/alone.db", new byte[1]);
            assertThat(inside.list("")).extracting(StoredObject::path).containsExactly(PATH);
            assertThat(store.list("")).extracting(StoredObject::path).contains("team/a/" + PATH);
        }
    }

    private static final class Gateway implements ServerStage {
        static final AccessKey KEY = new AccessKey("tester", "a-very-secret-key", Optional.empty());

        private final int port = FreePorts.take(1).getFirst();
        private final ServerProcess process;

        Gateway(Path folder) {
            try {
                Files.createDirectories(folder.resolve("data/backups"));
                Files.createDirectories(folder.resolve("more"));
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
            this.process = new ServerProcess(
                    List.of(
                            ServerProcess.program("versitygw").toString(),
                            "--quiet",
                            "--port=127.0.0.1:" + port,
                            "posix",
                            // Not all file systems have attributes of their own.
                            "--sidecar=" + folder.resolve("more"),
                            folder.resolve("data").toString()),
                    Map.of("ROOT_ACCESS_KEY", KEY.id(), "ROOT_SECRET_KEY", KEY.secret()),
                    folder.resolve("log"),
                    port);
        }

        StoreAddress address(String bucket) {
            return StoreAddress.parse("s3://" + bucket, endpoint(), null, null);
        }

        @Override
        public Store store() {
            return Store.in(address("backups"), KEY);
        }

        @Override
        public Store missingBucket() {
            return Store.in(address("missing"), KEY);
        }

        @Override
        public Store wrongCredentials() {
            return Store.in(address("backups"), new AccessKey(KEY.id(), secret(), Optional.empty()));
        }

        @Override
        public String secret() {
            return "a-very-wrong-key";
        }

        @Override
        public int partsLeft(String path) {
            try (S3Client s3 = S3Clients.client(address("backups"), KEY)) {
                return s3.listMultipartUploads(request -> request.bucket("backups"))
                        .uploads()
                        .size();
            }
        }

        @Override
        public String[] whereabouts() {
            return new String[] {"s3://backups", endpoint(), KEY.id(), KEY.secret()};
        }

        @Override
        public void cutOff() {
            process.kill();
        }

        @Override
        public void comeBack() {
            process.start();
        }

        @Override
        public void close() {
            process.kill();
        }

        private String endpoint() {
            return "http://127.0.0.1:" + port;
        }
    }
}
