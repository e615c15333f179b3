package etcdoperator.manifest;

import etcdoperator.api.EtcdCluster;
import etcdoperator.domain.ClusterKey;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The Secrets that hold passwords of a cluster's users. The operator has a user of its own, so that root's password can
 * change at any time, in its Secret or in etcd, and at no moment does the operator have to know both the old one and the
 * new one. What its Secret holds tells, too, that authentication here is the operator's work.
 */
public final class PasswordSecrets {
    public static final String PASSWORD = "password";
    private static final String USERNAME = "username";
    private static final String BASIC_AUTH = "kubernetes.io/basic-auth";

    private PasswordSecrets() {}

    /** For people, where they bring no password for root. */
    public static String root(ClusterKey cluster) {
        return cluster.name() + "-root-password";
    }

    /** For the operator itself. */
    public static String operator(ClusterKey cluster) {
        return cluster.name() + "-operator-password";
    }

    /** @param password none to forget the one that was there */
    public static Secret of(EtcdCluster cluster, String name, String user, Optional<String> password) {
        ClusterKey key = Labels.keyOf(cluster);
        Map<String, String> data = new TreeMap<>();
        data.put(USERNAME, encoded(user));
        password.ifPresent(text -> data.put(PASSWORD, encoded(text)));
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(key.namespace())
                .withName(name)
                .withLabels(Labels.ofCluster(key))
                .withOwnerReferences(Owned.by(cluster))
                .endMetadata()
                .withType(BASIC_AUTH)
                .withData(data)
                .build();
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
