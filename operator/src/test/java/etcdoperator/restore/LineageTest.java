package etcdoperator.restore;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.ClusterLineage;
import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdRestore;
import etcdoperator.domain.ClusterId;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which backups still have a cluster's data after a restore. */
class LineageTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00.5Z");

    @Test
    void twoRecoveriesOneAfterTheOther() {
        ClusterLineage once = after("a", ClusterLineage.NONE, "b", false);
        assertThat(once).isEqualTo(new ClusterLineage(List.of("a"), null));
        assertThat(after("b", once, "c", false)).isEqualTo(new ClusterLineage(List.of("b", "a"), null));
    }

    /** The operator died after it had written this. */
    @Test
    void whatIsWrittenAgainIsTheSame() {
        var lineage = new ClusterLineage(List.of("a"), null);
        assertThat(after("b", lineage, "b", false)).isEqualTo(lineage);
    }

    @Test
    void aDeliberateRestoreEndsTheList() {
        var lineage = new ClusterLineage(List.of("b", "a"), null);
        assertThat(after("c", lineage, "d", true))
                .isEqualTo(new ClusterLineage(List.of(), Instant.parse("2026-01-01T12:00:00Z")));
    }

    @Test
    void aRecoveryAfterADeliberateRestoreBeginsAnother() {
        ClusterLineage restored = after("a", ClusterLineage.NONE, "b", true);
        assertThat(after("b", restored, "c", false).replacedClusterIds()).containsExactly("b");
        assertThat(after("b", restored, "c", false).restoredAt()).isEqualTo(restored.restoredAt());
    }

    /** Its claim was deleted before the cluster could start on it. */
    @Test
    void aRecoveryThatIsUndoneReplacesNothing() {
        var lineage = new ClusterLineage(List.of("b", "a"), null);
        assertThat(after("c", lineage, "b", false)).isEqualTo(new ClusterLineage(List.of("a"), null));
    }

    @Test
    void theListDoesNotGrowForEver() {
        ClusterLineage lineage = ClusterLineage.NONE;
        for (int id = 1; id < 100; id++) {
            lineage = after(Integer.toHexString(id), lineage, Integer.toHexString(id + 1), false);
        }
        assertThat(lineage.replacedClusterIds())
                .hasSize(16)
                .containsExactlyElementsOf(IntStream.range(0, 16)
                        .mapToObj(i -> Integer.toHexString(99 - i))
                        .toList());
    }

    @Test
    void whoChoosesABackupGoesBackAndWhoChoosesADiskDoesNot() {
        assertThat(Lineage.isDeliberate(restore("backup: b", true), cluster(false)))
                .isFalse();
        assertThat(Lineage.isDeliberate(restore("backup: b", true), cluster(true)))
                .isTrue();
        assertThat(Lineage.isDeliberate(restore("claim: c-0", true), cluster(true)))
                .isFalse();
        assertThat(Lineage.isDeliberate(restore("backup: b", false), cluster(false)))
                .isTrue();
    }

    private static ClusterLineage after(String before, ClusterLineage lineage, String next, boolean deliberate) {
        var status = new EtcdClusterStatus(null, 0, 0, null, null, null, before, lineage, null, null, null, null, null);
        return Lineage.of(status, ClusterId.parse(next), deliberate, NOW);
    }

    private static EtcdRestore restore(String source, boolean recovery) {
        EtcdRestore restore = Serialization.unmarshal(
                """
                metadata: {name: r, annotations: {%s: %s}}
                spec: {source: {%s}, clusterTemplate: {name: c}, inPlace: true}
                """.formatted(Labels.RECOVERS, recovery ? "a1" : "nothing", source), EtcdRestore.class);
        return restore;
    }

    private static EtcdCluster cluster(boolean chosen) {
        var cluster = new EtcdCluster();
        cluster.setMetadata(new ObjectMetaBuilder()
                .withName("c")
                .withAnnotations(chosen ? Map.of(Labels.RECOVER, "backup/b") : Map.of())
                .build());
        return cluster;
    }
}
