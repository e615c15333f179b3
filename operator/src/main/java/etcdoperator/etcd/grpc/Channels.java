package etcdoperator.etcd.grpc;

import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.TlsMaterial;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLException;

/** How members are reached. */
final class Channels {
    /** Snapshots come in parts of 64 KiB, and all else that is asked for is a list of names. */
    private static final int LARGEST_MESSAGE = 1024 * 1024;

    private Channels() {}

    static ManagedChannel to(Endpoint endpoint) {
        NettyChannelBuilder builder = NettyChannelBuilder.forTarget("dns:///" + endpoint.hostAndPort())
                .directExecutor()
                .maxInboundMessageSize(LARGEST_MESSAGE)
                .disableRetry();
        endpoint.authority().ifPresent(builder::overrideAuthority);
        endpoint.tls().ifPresentOrElse(tls -> builder.sslContext(sslContext(tls)), builder::usePlaintext);
        return builder.build();
    }

    private static SslContext sslContext(TlsMaterial tls) {
        try {
            // Java's own TLS: the other kind is a native library, to be unpacked onto a disk that is read-only.
            return GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK)
                    .trustManager(pem(tls.trustedCertificates()))
                    .keyManager(pem(tls.certificateChain()), pem(tls.privateKey()))
                    .build();
        } catch (SSLException e) {
            throw new IllegalArgumentException("the TLS material of this cluster cannot be used: " + e.getMessage(), e);
        }
    }

    private static InputStream pem(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}
