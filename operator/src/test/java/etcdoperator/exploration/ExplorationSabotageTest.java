package etcdoperator.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.Sight;
import etcdoperator.simulation.world.Sabotage;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The operator broken on purpose, where only a fault at the right moment shows it. */
class ExplorationSabotageTest {
    @BeforeAll
    static void quiet() {
        ((Logger) LoggerFactory.getLogger("etcdoperator")).setLevel(Level.OFF);
    }

    /** The second disk is lost while a learner takes the place of the first. */
    @Test
    void learnersWithoutARecordCountAsVoters() {
        var tally = new Tally();
        Sabotage blind = Sight.ofCluster(ExplorationSabotageTest::withoutRecords);
        Singles.explore(new Case(Operation.REPLACE, 3), blind, tally, () -> isFound(tally));
        assertThat(isFound(tally)).withFailMessage(tally::toString).isTrue();
    }

    private static boolean isFound(Tally tally) {
        return tally.failures().stream()
                .anyMatch(failure -> failure.run().toString().contains("DISK_LOST")
                        && failure.why().contains("nothing has come of it"));
    }

    private static ClusterObjects withoutRecords(ClusterObjects seen) {
        return new ClusterObjects(
                seen.cluster(),
                seen.peers(),
                seen.claims().stream()
                        .map(ExplorationSabotageTest::withoutRecord)
                        .toList(),
                seen.replicaSets(),
                seen.pods(),
                seen.support(),
                seen.secrets(),
                seen.backups(),
                seen.recoveries(),
                seen.volumeWarnings(),
                seen.nodesUp(),
                seen.nodeAddresses(),
                seen.lostVolumes());
    }

    private static PersistentVolumeClaim withoutRecord(PersistentVolumeClaim claim) {
        return Sight.annotated(claim, Map.of(Labels.PROMOTION, ""));
    }
}
