package etcdoperator.store;

import com.sun.net.httpserver.HttpServer;
import etcdoperator.store.StoreCredentials.GoogleKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.Base64;

/** In Google's place, gives a token to whoever has a key, but not to the wrong one. */
final class GoogleTokens implements AutoCloseable {
    private static final String PRIVATE_KEY = privateKey();

    private final HttpServer server;

    GoogleTokens() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        answer("/right", 200, "{\"access_token\":\"right\",\"token_type\":\"Bearer\",\"expires_in\":3600}");
        answer("/wrong", 400, "{\"error\":\"invalid_grant\",\"error_description\":\"Invalid JWT Signature.\"}");
        server.start();
    }

    GoogleKey right() {
        return key("/right");
    }

    GoogleKey wrong() {
        return key("/wrong");
    }

    static String secret() {
        return PRIVATE_KEY;
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private GoogleKey key(String path) {
        return new GoogleKey("""
                {"type": "service_account", "project_id": "p", "private_key_id": "1", "client_id": "1",
                 "client_email": "tester@p.example", "token_uri": "http://127.0.0.1:%d%s",
                 "private_key": "-----BEGIN PRIVATE KEY-----\\n%s\\n-----END PRIVATE KEY-----\\n"}
                """.formatted(server.getAddress().getPort(), path, PRIVATE_KEY));
    }

    private void answer(String path, int status, String json) {
        server.createContext(path, exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                exchange.getResponseHeaders().set("Content-Type", "application/json; charset=utf-8");
                byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(status, bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        });
    }

    private static String privateKey() {
        try {
            var generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return Base64.getEncoder()
                    .encodeToString(generator.generateKeyPair().getPrivate().getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
