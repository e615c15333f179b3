package etcdoperator.e2e;

import static etcdoperator.e2e.Testbed.KUBE;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** Where a member serves clients, and what it takes to be let in. */
record Door(String address, Optional<Keys> keys, Optional<Login> login) {
    private static final String CLUSTER = "etcd.improbable.io/cluster-name";
    private static final String CLIENT_TLS = "etcd.improbable.io/client-tls";

    /** @param name what the member's certificate must be good for */
    record Keys(String name, String trusted, String certificate, String key) {
        static Keys of(Secret secret, String name) {
            return new Keys(name, text(secret, "ca.crt"), text(secret, "tls.crt"), text(secret, "tls.key"));
        }

        private Keys withoutCertificate() {
            return new Keys(name, trusted, "", "");
        }

        private static String text(Secret secret, String key) {
            return new String(Base64.getDecoder().decode(secret.getData().get(key)), StandardCharsets.UTF_8);
        }
    }

    static Door plain(String address) {
        return new Door(address, Optional.empty(), Optional.empty());
    }

    /** As a client has it that follows the Secret which the operator keeps for clients. */
    static Door of(Pod pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        String address = pod.getStatus().getPodIP();
        if (!"REQUIRED".equals(annotations.get(CLIENT_TLS))) {
            return plain(address);
        }
        String namespace = pod.getMetadata().getNamespace();
        Secret secret = KUBE.secrets()
                .inNamespace(namespace)
                .withName(pod.getMetadata().getLabels().get(CLUSTER) + "-client-tls")
                .require();
        return secure(pod, secret);
    }

    static Door secure(Pod pod, Secret secret) {
        String name = "%s.%s.%s.svc"
                .formatted(
                        pod.getSpec().getHostname(),
                        pod.getSpec().getSubdomain(),
                        pod.getMetadata().getNamespace());
        return new Door(pod.getStatus().getPodIP(), Optional.of(Keys.of(secret, name)), Optional.empty());
    }

    /** Somebody who knows whom to trust, and has nothing to show. */
    static Door anonymous(Pod pod, Secret secret) {
        Door door = secure(pod, secret);
        return new Door(door.address(), door.keys().map(Keys::withoutCertificate), Optional.empty());
    }

    Door as(Optional<Login> user) {
        return new Door(address, keys, user);
    }

    ManagedChannel open() {
        NettyChannelBuilder builder =
                NettyChannelBuilder.forAddress(address, 2379).disableRetry();
        login.ifPresent(user -> builder.intercept(user.session()));
        keys.ifPresentOrElse(keys -> secure(builder, keys), builder::usePlaintext);
        return builder.build();
    }

    private static void secure(NettyChannelBuilder builder, Keys keys) {
        try {
            SslContextBuilder context = GrpcSslContexts.forClient().trustManager(pem(keys.trusted()));
            if (!keys.certificate().isEmpty()) {
                context.keyManager(pem(keys.certificate()), pem(keys.key()));
            }
            builder.overrideAuthority(keys.name()).sslContext(context.build());
        } catch (SSLException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream pem(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}
