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
 * The identity of the pod's service account at Azure, where the workload identity webhook has set it up. The metadata
 * server is not asked: it gives the identities of the node to every pod. Azure's own library does much more, in 15 jars.
 */
final class AzurePodIdentity implements TokenCredential {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String RESOURCE = "https://storage.azure.com/";
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
        if (file.isEmpty() || tenant.isEmpty() || client.isEmpty()) {
            throw new NoToken(
                    false,
                    "the pod has no identity at Azure: give it a service account with workload identity, or the bucket"
                            + " credentials; the identity of its node is not used");
        }
        return exchange(Files.readString(Path.of(file.get())), tenant.get(), client.get());
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
