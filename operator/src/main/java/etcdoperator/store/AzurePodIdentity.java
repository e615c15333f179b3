package etcdoperator.store;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import reactor.core.publisher.Mono;

/**
 * The pod's identity at Azure: of its service account where the workload identity webhook set it up, else of its node.
 * Azure's own library for this does much more, in 15 jars.
 */
final class AzurePodIdentity implements TokenCredential {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String RESOURCE = "https://storage.azure.com/";
    private static final URI NODE = URI.create("http://169.254.169.254/metadata/identity/oauth2/token"
            + "?api-version=2018-02-01&resource=" + encoded(RESOURCE));
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private final Map<String, String> environment;

    /** @param environment of the process */
    AzurePodIdentity(Map<String, String> environment) {
        this.environment = environment;
    }

    /** Why there is no token; nothing of what was sent or answered. */
    static final class NoToken extends RuntimeException {
        private final boolean mayPass;
        private final String reason;

        NoToken(boolean mayPass, String reason) {
            super(reason);
            this.mayPass = mayPass;
            this.reason = reason;
        }

        boolean mayPass() {
            return mayPass;
        }

        String reason() {
            return reason;
        }
    }

    @Override
    public Mono<AccessToken> getToken(TokenRequestContext request) {
        return Mono.fromCallable(() -> getTokenSync(request));
    }

    /** The library asks again only when a token is about to end. */
    @Override
    public AccessToken getTokenSync(TokenRequestContext request) {
        try (HttpClient http = HttpClient.newBuilder().connectTimeout(DEADLINE).build()) {
            HttpResponse<String> answer = http.send(question(), BodyHandlers.ofString());
            int status = answer.statusCode();
            if (status != 200) {
                throw new NoToken(status >= 500 || status == 429, "no token for the pod: HTTP " + status);
            }
            JsonNode token = JSON.readTree(answer.body());
            return new AccessToken(
                    token.path("access_token").asText(),
                    OffsetDateTime.now(ZoneOffset.UTC)
                            .plusSeconds(token.path("expires_in").asLong()));
        } catch (IOException e) {
            throw new NoToken(true, "no token for the pod: " + Errand.rootOf(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoToken(true, "interrupted");
        }
    }

    private HttpRequest question() throws IOException {
        Optional<String> file = variable("AZURE_FEDERATED_TOKEN_FILE");
        Optional<String> tenant = variable("AZURE_TENANT_ID");
        Optional<String> client = variable("AZURE_CLIENT_ID");
        if (file.isPresent() && tenant.isPresent() && client.isPresent()) {
            return exchange(Files.readString(Path.of(file.get())), tenant.get(), client.get());
        }
        URI node =
                client.map(id -> URI.create(NODE + "&client_id=" + encoded(id))).orElse(NODE);
        return HttpRequest.newBuilder(node)
                .header("Metadata", "true")
                .timeout(DEADLINE)
                .build();
    }

    private HttpRequest exchange(String token, String tenant, String client) {
        String authority = variable("AZURE_AUTHORITY_HOST").orElse("https://login.microsoftonline.com/");
        String base = authority.endsWith("/") ? authority : authority + "/";
        String form = Map.of(
                        "grant_type",
                        "client_credentials",
                        "client_assertion_type",
                        "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
                        "client_assertion",
                        token,
                        "client_id",
                        client,
                        "scope",
                        RESOURCE + ".default")
                .entrySet()
                .stream()
                .map(field -> field.getKey() + "=" + encoded(field.getValue()))
                .collect(Collectors.joining("&"));
        return HttpRequest.newBuilder(URI.create(base + tenant + "/oauth2/v2.0/token"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form))
                .timeout(DEADLINE)
                .build();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }
}
