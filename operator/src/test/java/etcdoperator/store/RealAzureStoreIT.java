package etcdoperator.store;

import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.BlockListType;
import etcdoperator.contract.etcd.FreePorts;
import etcdoperator.store.StoreCredentials.AzureKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/** Azurite, Microsoft's own imitation of its store. */
class RealAzureStoreIT extends ServerContract {
    @TempDir
    Path folder;

    @Override
    StoreStage open() {
        return new Azurite(folder);
    }

    @Override
    Store hurried() {
        Azurite azurite = (Azurite) stage;
        return Store.in(azurite.address("backups"), Azurite.KEY, HURRY);
    }

    private static final class Azurite implements ServerStage {
        static final AzureKey KEY = new AzureKey("tester", base64("a-very-secret-key"));

        private final int port;
        private final ServerProcess process;

        /** Azurite writes down what it has only now and then: killed, it forgets. */
        private final CutProxy way;

        Azurite(Path folder) {
            Path program = ServerProcess.program("azurite").resolve("node_modules/azurite/dist/src/blob/main.js");
            List<Integer> ports = FreePorts.take(2);
            this.port = ports.getFirst();
            this.process = new ServerProcess(
                    List.of(
                            "node",
                            program.toString(),
                            "--blobHost=127.0.0.1",
                            "--blobPort=" + ports.getLast(),
                            "--location=" + folder,
                            "--silent",
                            "--skipApiVersionCheck",
                            "--disableTelemetry"),
                    Map.of("AZURITE_ACCOUNTS", KEY.account() + ":" + KEY.key()),
                    folder.resolve("log"),
                    ports.getLast());
            this.way = new CutProxy(port, ports.getLast());
            container().create();
        }

        StoreAddress address(String bucket) {
            return StoreAddress.parse(
                    "azblob://" + bucket, "http://127.0.0.1:" + port + "/" + KEY.account(), null, null);
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
            return Store.in(address("backups"), new AzureKey(KEY.account(), secret()));
        }

        @Override
        public String secret() {
            return base64("a-very-wrong-key");
        }

        @Override
        public int partsLeft(String path) {
            try {
                return container()
                        .getBlobClient(path)
                        .getBlockBlobClient()
                        .listBlocks(BlockListType.UNCOMMITTED)
                        .getUncommittedBlocks()
                        .size();
            } catch (BlobStorageException e) {
                return 0;
            }
        }

        @Override
        public boolean takesPartsBack() {
            return false;
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
        }

        private BlobContainerClient container() {
            return AzureClients.client(address("backups"), KEY);
        }

        private static String base64(String text) {
            return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        }
    }
}
