package etcdoperator.store;

import com.google.auth.oauth2.ComputeEngineCredentials;
import com.google.auth.oauth2.GoogleCredentials;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The pod's identity at Google: of a file that workload identity federation mounts, else of the metadata server of GKE,
 * which knows pods by their service accounts. The metadata server of the node is not used: it gives the identity of the
 * node to every pod, and Google's library takes either.
 */
final class GooglePodIdentity {
    private static final String FILE = "GOOGLE_APPLICATION_CREDENTIALS";
    private static final String METADATA_SERVER = "http://metadata.google.internal";
    private static final String GKE = "GKE Metadata Server";
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private final Map<String, String> environment;
    private final URI metadataServer;

    private GooglePodIdentity(Map<String, String> environment, URI metadataServer) {
        this.environment = environment;
        this.metadataServer = metadataServer;
    }

    static GooglePodIdentity ofThisPod() {
        return new GooglePodIdentity(System.getenv(), URI.create(METADATA_SERVER));
    }

    static GooglePodIdentity at(URI metadataServer) {
        return new GooglePodIdentity(Map.of(), metadataServer);
    }

    GoogleCredentials find(Errand errand) throws StoreException {
        Optional<String> file = Optional.ofNullable(environment.get(FILE)).filter(name -> !name.isBlank());
        if (file.isPresent()) {
            return read(Path.of(file.get()), errand);
        }
        if (!isOfGke(errand)) {
            throw errand.denied("the pod has no identity at Google but that of its node, which is not used: give it a"
                    + " service account with workload identity, or the bucket credentials");
        }
        return ComputeEngineCredentials.create();
    }

    private static GoogleCredentials read(Path file, Errand errand) throws StoreException {
        try (InputStream in = Files.newInputStream(file)) {
            return GoogleCredentials.fromStream(in);
        } catch (IOException e) {
            throw errand.denied("the file of the pod's identity at Google cannot be read");
        }
    }

    private boolean isOfGke(Errand errand) throws StoreException {
        var question = HttpRequest.newBuilder(
                        metadataServer.resolve("/computeMetadata/v1/instance/service-accounts/default/email"))
                .header("Metadata-Flavor", "Google")
                .timeout(DEADLINE)
                .build();
        try (HttpClient http = HttpClient.newBuilder().connectTimeout(DEADLINE).build()) {
            return http.send(question, BodyHandlers.discarding()).headers().allValues("Server").stream()
                    .anyMatch(GKE::equals);
        } catch (IOException e) {
            throw errand.unreachable("no token for the pod: " + Errand.rootOf(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw errand.interrupted();
        }
    }
}
