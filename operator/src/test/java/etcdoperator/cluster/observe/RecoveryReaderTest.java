package etcdoperator.cluster.observe;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdRestore;
import etcdoperator.cluster.view.RecoveryView;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which recoveries a cluster hears of, and what they say. */
class RecoveryReaderTest {
    private static final String BORN = "2026-11-15T10:00:00Z";

    /** Its verdicts would be taken for ones on data of this cluster. */
    @Test
    void oneOfAnEarlierClusterOfTheNameIsNotToldOf() {
        assertThat(names(restore("old", "2026-11-15T09:59:59Z"), restore("own", "2026-11-15T10:00:01Z")))
                .containsExactly("own");
    }

    /** Times of objects are whole seconds: a recovery cannot be of an earlier cluster only because it was quick. */
    @Test
    void oneOfTheSameSecondIsToldOf() {
        assertThat(names(restore("own", BORN))).containsExactly("own");
    }

    @Test
    void restoresThatRecoverNothingAreNotToldOf() {
        EtcdRestore users = restore("users", "2026-11-15T11:00:00Z");
        users.getMetadata().setAnnotations(Map.of());
        EtcdRestore spoilt = restore("spoilt", "2026-11-15T11:00:00Z");
        spoilt.getMetadata().setAnnotations(Map.of(Labels.RECOVERS, "nonsense"));
        assertThat(names(users, spoilt)).isEmpty();
    }

    @Test
    void whetherTheLossWasConfirmedIsTold() {
        EtcdRestore told = restore("told", "2026-11-15T11:00:00Z");
        told.getMetadata().setAnnotations(Map.of(Labels.RECOVERS, "c1", Labels.LOSS_CONFIRMED, "2026-11-15T11:05:00Z"));
        EtcdRestore spoilt = restore("spoilt", "2026-11-15T11:00:00Z");
        spoilt.getMetadata().setAnnotations(Map.of(Labels.RECOVERS, "c1", Labels.LOSS_CONFIRMED, "yes"));

        List<RecoveryView> read = RecoveryReader.read(cluster(), List.of(told, spoilt));

        assertThat(read).extracting(RecoveryView::name).containsExactly("spoilt", "told");
        assertThat(read.getFirst().confirmedAt()).isEmpty();
        assertThat(read.getLast().confirmedAt()).contains(Instant.parse("2026-11-15T11:05:00Z"));
    }

    private static List<String> names(EtcdRestore... restores) {
        return RecoveryReader.read(cluster(), List.of(restores)).stream()
                .map(RecoveryView::name)
                .toList();
    }

    private static EtcdCluster cluster() {
        return Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdCluster
                metadata: {name: c, namespace: ns, creationTimestamp: "%s"}
                spec: {replicas: 3, version: 3.6.16}
                """.formatted(BORN), EtcdCluster.class);
    }

    private static EtcdRestore restore(String name, String made) {
        return Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdRestore
                metadata:
                  name: %s
                  namespace: ns
                  creationTimestamp: "%s"
                  annotations: {etcd.improbable.io/recovers: c1}
                spec: {source: {claim: c-0}, clusterTemplate: {clusterName: c}, inPlace: true}
                """.formatted(name, made), EtcdRestore.class);
    }
}
