package io.improbable.etcd.manifest;

import io.improbable.etcd.api.TlsSetup;
import io.improbable.etcd.domain.Scheme;
import io.improbable.etcd.domain.Transport;
import io.improbable.etcd.domain.Transport.Between;
import io.improbable.etcd.domain.Transport.Client;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How peers and pods say in which way they speak. */
public final class Transports {
    private Transports() {}

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

    static Map<String, String> annotations(Transport transport) {
        Map<String, String> annotations = new TreeMap<>();
        if (transport.client() != Client.PLAIN) {
            annotations.put(Labels.CLIENT_TLS, transport.client().name());
        }
        if (transport.peer() != Between.PLAIN) {
            annotations.put(Labels.PEER_TLS, transport.peer().name());
        }
        return annotations;
    }

    /** How a member with this setup is reached by the others. */
    public static Scheme between(TlsSetup tls) {
        return of(tls).peer().scheme();
    }
}
