package io.improbable.etcd.manifest;

import io.improbable.etcd.api.TlsSetup;
import io.improbable.etcd.manifest.Addresses.Scheme;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How a pod speaks with clients and with other members. A pod carries it, for its peer may be ahead of it. */
public record Transport(Client client, Between peer) {
    public static final Transport PLAIN = new Transport(Client.PLAIN, Between.PLAIN);

    /** What clients are served. */
    public enum Client {
        PLAIN(Scheme.HTTP),
        PERMISSIVE(Scheme.HTTP, Scheme.HTTPS),
        REQUIRED(Scheme.HTTPS);

        private final List<Scheme> schemes;

        Client(Scheme... schemes) {
            this.schemes = List.of(schemes);
        }

        public List<Scheme> schemes() {
            return schemes;
        }

        /** TLS where there is any. */
        public Scheme best() {
            return schemes.getLast();
        }
    }

    /** Members that are {@link #PLAIN} and {@link #REQUIRED} cannot speak with each other; all else can. */
    public enum Between {
        PLAIN(Scheme.HTTP),
        /** Reached without TLS, and able to reach others by it. */
        PREPARED(Scheme.HTTP),
        REQUIRED(Scheme.HTTPS);

        private final Scheme scheme;

        Between(Scheme scheme) {
            this.scheme = scheme;
        }

        /** How it is reached. */
        public Scheme scheme() {
            return scheme;
        }
    }

    public static Transport of(TlsSetup tls) {
        Client client = tls.client() == null
                ? Client.PLAIN
                : switch (tls.client().mode()) {
                    case PERMISSIVE -> Client.PERMISSIVE;
                    case REQUIRED -> Client.REQUIRED;
                };
        Between peer = tls.peer() == null
                ? Between.PLAIN
                : switch (tls.peer().stage()) {
                    case PREPARED -> Between.PREPARED;
                    case REQUIRED -> Between.REQUIRED;
                };
        return new Transport(client, peer);
    }

    /** As a pod's annotations have it. */
    public static Transport of(Map<String, String> annotations) {
        return new Transport(
                Optional.ofNullable(annotations.get(Labels.CLIENT_TLS))
                        .map(Client::valueOf)
                        .orElse(Client.PLAIN),
                Optional.ofNullable(annotations.get(Labels.PEER_TLS))
                        .map(Between::valueOf)
                        .orElse(Between.PLAIN));
    }

    Map<String, String> annotations() {
        Map<String, String> annotations = new TreeMap<>();
        if (client != Client.PLAIN) {
            annotations.put(Labels.CLIENT_TLS, client.name());
        }
        if (peer != Between.PLAIN) {
            annotations.put(Labels.PEER_TLS, peer.name());
        }
        return annotations;
    }
}
