package etcdoperator.manifest;

import etcdoperator.api.TlsSetup;
import etcdoperator.domain.Scheme;
import etcdoperator.domain.Transport;
import etcdoperator.domain.Transport.Between;
import etcdoperator.domain.Transport.Client;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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

    /**
     * As a pod's annotations have it.
     *
     * @param otherwise what its peer would give it now, for words that nobody knows: they were changed by hand, or
     *     written by a newer operator
     */
    public static Transport of(Map<String, String> annotations, Transport otherwise) {
        return new Transport(
                word(annotations.get(Labels.CLIENT_TLS), Client.values(), Client.PLAIN, otherwise.client()),
                word(annotations.get(Labels.PEER_TLS), Between.values(), Between.PLAIN, otherwise.peer()));
    }

    private static <W extends Enum<W>> W word(@Nullable String word, W[] known, W absent, W otherwise) {
        return word == null
                ? absent
                : Stream.of(known)
                        .filter(value -> value.name().equals(word))
                        .findFirst()
                        .orElse(otherwise);
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
