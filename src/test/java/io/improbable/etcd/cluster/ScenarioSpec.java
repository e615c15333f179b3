package io.improbable.etcd.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.api.EtcdClusterSpec;
import io.improbable.etcd.api.EtcdClusterStatus;
import io.improbable.etcd.api.RecoverySpec;
import io.improbable.etcd.api.RecoverySpec.QuorumLossPolicy;
import io.improbable.etcd.api.StorageSpec;
import io.improbable.etcd.api.TlsSetup;
import io.improbable.etcd.cluster.ClusterView.Wish;
import io.improbable.etcd.domain.EtcdVersion;
import io.improbable.etcd.manifest.Labels;
import io.improbable.etcd.manifest.Peers;
import java.util.Map;
import java.util.Optional;

/** What a user is held to have asked for, where a folder tells of it in words. */
final class ScenarioSpec {
    private ScenarioSpec() {}

    /** What pods are to be made with; another word is another annotation of theirs. */
    static EtcdClusterSpec of(int replicas, EtcdVersion version, String settings, JsonNode more) {
        var claim = new PersistentVolumeClaimSpecBuilder()
                .withNewResources()
                .addToRequests("storage", new Quantity("1Gi"))
                .endResources()
                .build();
        var spec = EtcdClusterSpec.of(replicas, version.toString(), new StorageSpec(claim));
        ObjectNode fields = Serialization.jsonMapper().valueToTree(spec);
        if (!settings.equals(ScenarioView.USUAL)) {
            fields.putObject("podTemplate")
                    .putObject("metadata")
                    .putObject("annotations")
                    .put("settings", settings);
        }
        more.properties().forEach(field -> fields.set(field.getKey(), field.getValue()));
        return Serialization.jsonMapper().convertValue(fields, EtcdClusterSpec.class);
    }

    static String hash(EtcdVersion version, String settings, JsonNode more, TlsSetup tls) {
        var cluster = new EtcdCluster();
        cluster.setMetadata(new ObjectMetaBuilder().withName("c").build());
        cluster.setSpec(of(3, version, settings, more));
        return new Peers(cluster, tls).settings();
    }

    static EtcdCluster cluster(ScenarioView.Asked asked, EtcdClusterStatus status) {
        Wish wish = asked.wish();
        var cluster = new EtcdCluster();
        cluster.setMetadata(new ObjectMetaBuilder()
                .withNamespace(wish.key().namespace())
                .withName(wish.key().name())
                .withUid(wish.uid())
                .withGeneration(7L)
                .withResourceVersion("100")
                .withCreationTimestamp("2025-12-31T00:00:00Z")
                .addToAnnotations(annotation(Labels.RESTORING, wish.restoring().map(name -> name + "/r1")))
                .addToAnnotations(annotation(Labels.CLAIM_SEED, wish.claimSeed()))
                .addToAnnotations(annotation(Labels.RECOVER, wish.recovery().choice()))
                .build());
        cluster.setSpec(of(wish.replicas(), wish.version(), asked.settings(), asked.spec())
                .withRecovery(new RecoverySpec(
                        wish.memberTimeout().toSeconds() + "s",
                        wish.recovery().automatic() ? QuorumLossPolicy.AUTOMATIC : null,
                        wish.recovery().grace().toSeconds() + "s")));
        cluster.setStatus(status);
        return cluster;
    }

    private static Map<String, String> annotation(String name, Optional<String> word) {
        return word.map(there -> Map.of(name, there)).orElse(Map.of());
    }
}
