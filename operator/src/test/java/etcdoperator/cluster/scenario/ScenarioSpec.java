package etcdoperator.cluster.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.RecoverySpec;
import etcdoperator.api.RecoverySpec.QuorumLossPolicy;
import etcdoperator.api.StorageSpec;
import etcdoperator.api.TlsSetup;
import etcdoperator.cluster.view.ClusterView.Wish;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.Peers;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.Optional;

/** What a user is held to have asked for, where a folder tells of it in words. */
public final class ScenarioSpec {
    private ScenarioSpec() {}

    /** What pods are to be made with; another word is another annotation of theirs. */
    public static EtcdClusterSpec of(int replicas, EtcdVersion version, String settings, JsonNode more) {
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
