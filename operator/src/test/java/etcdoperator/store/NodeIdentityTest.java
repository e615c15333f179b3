package etcdoperator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.TokenRequestContext;
import com.google.auth.oauth2.ComputeEngineCredentials;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The metadata server of a node gives the node's identity to every pod. No agent uses it. */
class NodeIdentityTest {
    private static final String METADATA_SERVER_OF_AMAZON = "aws.ec2MetadataServiceEndpoint";
    private static final Errand ERRAND = new Errand("gs://b", "gs://b/x", Errand.Doing.READ);

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private HttpServer metadata;
    private String name = "";

    @BeforeEach
    void start() throws IOException {
        metadata = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        metadata.createContext("/", exchange -> {
            try (exchange) {
                requests.add(exchange.getRequestURI().toString());
                exchange.getResponseHeaders().set("Server", name);
                exchange.sendResponseHeaders(200, -1);
            }
        });
        metadata.start();
        System.setProperty(METADATA_SERVER_OF_AMAZON, url().toString());
    }

    @AfterEach
    void stop() {
        System.clearProperty(METADATA_SERVER_OF_AMAZON);
        metadata.stop(0);
    }

    @Test
    void notAtAmazon() {
        StoreAddress address = StoreAddress.parse("s3://backups", null, "eu-west-1", null);
        try (Store store = Store.in(address, new StoreCredentials.PodIdentity())) {
            assertThatThrownBy(() -> store.stat("x.db"))
                    .hasMessageContaining("the pod has no identity at Amazon")
                    .hasMessageContaining("the identity of its node is not used");
        }
        assertThat(requests).isEmpty();
    }

    @Test
    void notAtAzure() {
        assertThatThrownBy(() ->
                        new AzurePodIdentity(Map.of("AZURE_CLIENT_ID", "node")).getTokenSync(new TokenRequestContext()))
                .hasMessageContaining("the identity of its node is not used");
    }

    @Test
    void notAtGoogle() {
        name = "Metadata Server for VM";
        assertThatThrownBy(() -> GooglePodIdentity.at(url()).find(ERRAND))
                .hasMessageContaining("no identity at Google but that of its node, which is not used");
        assertThat(requests).noneMatch(path -> path.contains("token"));
    }

    @Test
    void theMetadataServerOfGkeKnowsPods() throws StoreException {
        name = "GKE Metadata Server";
        assertThat(GooglePodIdentity.at(url()).find(ERRAND)).isInstanceOf(ComputeEngineCredentials.class);
    }

    /** The name of an account becomes that of a host. */
    @Test
    void anAccountOfAzureIsNoAddress() {
        StoreAddress address = StoreAddress.parse("azblob://backups", null, null, null);
        assertThatThrownBy(() -> AzureClients.client(
                        address, new StoreCredentials.AzureSignature("evil.example/", "sv=1&sig=secret")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("AZURE_STORAGE_ACCOUNT must be the name of a storage account");
    }

    private URI url() {
        return URI.create("http://127.0.0.1:" + metadata.getAddress().getPort());
    }
}
