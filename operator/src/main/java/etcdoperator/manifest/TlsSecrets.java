package etcdoperator.manifest;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.rules.ApiGroup;
import etcdoperator.domain.ClusterKey;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The Secrets that hold the certificates of a cluster. */
public final class TlsSecrets {
    public static final String CERTIFICATE = "tls.crt";
    public static final String KEY = "tls.key";
    public static final String TRUSTED = "ca.crt";

    /** An authority that is trusted and does not sign yet, and one that does not sign any more. */
    public static final String NEXT_CERTIFICATE = "next.crt";

    public static final String NEXT_KEY = "next.key";
    public static final String PREVIOUS_CERTIFICATE = "previous.crt";

    /** On the authority's Secret: since when it is as it is, and which wish for another one was the last to be met. */
    public static final String SINCE = ApiGroup.RESERVED_PREFIX + "since";

    public static final String ROTATED = ApiGroup.RESERVED_PREFIX + "rotated";

    /** On an EtcdCluster: any other word than before asks for another authority. */
    public static final String ROTATE = ApiGroup.RESERVED_PREFIX + "rotate-ca";

    private static final String OPAQUE = "Opaque";
    private static final String TLS = "kubernetes.io/tls";

    private TlsSecrets() {}

    public static String authority(ClusterKey cluster) {
        return cluster.name() + "-ca";
    }

    public static String server(ClusterKey cluster) {
        return cluster.name() + "-server-tls";
    }

    public static String peer(ClusterKey cluster) {
        return cluster.name() + "-peer-tls";
    }

    /** For clients of the cluster. */
    public static String client(ClusterKey cluster) {
        return cluster.name() + "-client-tls";
    }

    /** For the operator itself, which is root where etcd asks who it is. */
    public static String operator(ClusterKey cluster) {
        return cluster.name() + "-operator-tls";
    }

    /** What members mount of certificates that others make: taken over in steps, so that all trust it before it is shown. */
    public static String mountedServer(ClusterKey cluster) {
        return cluster.name() + "-server-mounted";
    }

    public static String mountedPeer(ClusterKey cluster) {
        return cluster.name() + "-peer-mounted";
    }

    /** All that members ever mount; each carries our label. */
    public static Set<String> mounted(ClusterKey cluster) {
        return Set.of(server(cluster), peer(cluster), mountedServer(cluster), mountedPeer(cluster));
    }

    public static Secret ofAuthority(EtcdCluster cluster, Map<String, String> texts, Map<String, String> annotations) {
        return secret(cluster, authority(Labels.keyOf(cluster)), OPAQUE, texts, annotations);
    }

    public static Secret ofLeaf(EtcdCluster cluster, String name, String certificate, String key, String trusted) {
        return secret(cluster, name, TLS, Map.of(CERTIFICATE, certificate, KEY, key, TRUSTED, trusted), Map.of());
    }

    /** @param annotations since when it is as it is */
    public static Secret ofCopy(
            EtcdCluster cluster, String name, Map<String, String> texts, Map<String, String> annotations) {
        return secret(cluster, name, TLS, texts, annotations);
    }

    /** Since when it is as it is; for ever, if it does not say. */
    public static Instant since(Secret secret) {
        try {
            return Optional.ofNullable(secret.getMetadata().getAnnotations())
                    .map(annotations -> annotations.get(SINCE))
                    .map(Instant::parse)
                    .orElse(Instant.EPOCH);
        } catch (DateTimeParseException e) {
            return Instant.EPOCH;
        }
    }

    private static Secret secret(
            EtcdCluster cluster, String name, String type, Map<String, String> texts, Map<String, String> annotations) {
        ClusterKey key = Labels.keyOf(cluster);
        Map<String, String> data = new TreeMap<>();
        texts.forEach((part, text) ->
                data.put(part, Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))));
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(key.namespace())
                .withName(name)
                .withLabels(Labels.ofCluster(key))
                .withAnnotations(annotations)
                .withOwnerReferences(Owned.by(cluster))
                .endMetadata()
                .withType(type)
                .withData(data)
                .build();
    }

    /** What a Secret holds under a key; what is no text at all reads as an empty one. */
    public static Optional<String> text(Secret secret, String key) {
        return Optional.ofNullable(secret.getData()).map(data -> data.get(key)).map(TlsSecrets::decoded);
    }

    private static String decoded(String base64) {
        try {
            return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
