package etcdoperator.exploration;

import etcdoperator.manifest.TlsSecrets;
import etcdoperator.simulation.world.World;
import etcdoperator.tls.Authority;
import etcdoperator.tls.CertificateView;
import etcdoperator.tls.LeafRequest;
import etcdoperator.tls.PemPair;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Certificates that have ended: as if the operator had not run for as long as they last. */
final class Expiry {
    private static final Duration AGO = Duration.ofDays(60);

    private final World world;

    Expiry(World world) {
        this.world = world;
    }

    /** The Secrets with certificates that the operator has signed. */
    List<String> secrets() {
        return Stream.of(TlsSecrets.server(World.KEY), TlsSecrets.peer(World.KEY), TlsSecrets.operator(World.KEY))
                .filter(name -> world.server().get(Secret.class, name).isPresent())
                .filter(name -> world.server()
                        .get(Secret.class, TlsSecrets.authority(World.KEY))
                        .isPresent())
                .toList();
    }

    /** The same certificate from the same authority, with an earlier time. */
    void expire(String name) {
        Secret secret = world.server().get(Secret.class, name).orElseThrow();
        Secret authority = world.server()
                .get(Secret.class, TlsSecrets.authority(World.KEY))
                .orElseThrow();
        CertificateView now = CertificateView.of(text(secret, TlsSecrets.CERTIFICATE));
        var request =
                new LeafRequest(now.commonName(), now.dnsNames(), now.addresses(), now.usages(), Duration.ofDays(30));
        PemPair ended = Authority.of(
                        new PemPair(text(authority, TlsSecrets.CERTIFICATE), text(authority, TlsSecrets.KEY)))
                .issue(request, world.clock().instant().minus(AGO));
        Map<String, String> data = new HashMap<>(secret.getData());
        data.put(TlsSecrets.CERTIFICATE, encoded(ended.certificates()));
        data.put(TlsSecrets.KEY, encoded(ended.key()));
        world.server().change(secret, changed -> {
            changed.setData(data);
            return changed;
        });
    }

    private static String text(Secret secret, String key) {
        return TlsSecrets.text(secret, key).orElseThrow();
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
