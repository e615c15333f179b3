package etcdoperator.cluster.observe;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.api.EtcdCluster;
import etcdoperator.cluster.scenario.ScenarioSpec;
import etcdoperator.cluster.scenario.ScenarioView;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.kube.ClusterObjects;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A cluster c with what its spec says of authentication, and the Secrets beside it. */
public final class SecretsOf {
    private final List<Secret> secrets = new ArrayList<>();
    private String auth = "{}";

    /** @param yaml more of the spec, as {@code auth: {enabled: true}} */
    public SecretsOf spec(String yaml) {
        auth = yaml;
        return this;
    }

    public SecretsOf with(String name, String key, String value) {
        without(name);
        secrets.add(new SecretBuilder()
                .withMetadata(new ObjectMetaBuilder()
                        .withNamespace("ns")
                        .withName(name)
                        .build())
                .addToData(
                        key,
                        java.util.Base64.getEncoder()
                                .encodeToString(value.getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .build());
        return this;
    }

    public SecretsOf with(String name, String password) {
        return with(name, "password", password);
    }

    public SecretsOf without(String name) {
        secrets.removeIf(secret -> secret.getMetadata().getName().equals(name));
        return this;
    }

    public ClusterObjects objects() {
        var cluster = new EtcdCluster();
        cluster.setMetadata(new ObjectMetaBuilder()
                .withNamespace("ns")
                .withName("c")
                .withUid("u1")
                .build());
        JsonNode more = Serialization.unmarshal(auth, JsonNode.class);
        cluster.setSpec(ScenarioSpec.of(1, EtcdVersion.parse("3.6.16"), ScenarioView.USUAL, more));
        return new ClusterObjects(
                cluster,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.copyOf(secrets),
                List.of(),
                List.of(),
                List.of(),
                Set.of(),
                Set.of(),
                Map.of());
    }
}
