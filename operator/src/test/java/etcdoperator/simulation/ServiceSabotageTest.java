package etcdoperator.simulation;

import static etcdoperator.simulation.SabotageTest.assertFound;
import static etcdoperator.simulation.SabotageTest.writing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The operator broken on purpose where volumes may hold other data than their claims say. */
class ServiceSabotageTest {
    @BeforeAll
    static void quiet() {
        ((Logger) LoggerFactory.getLogger("etcdoperator")).setLevel(Level.OFF);
    }

    /** Whatever answers is believed, as long as no etcd cluster is known. */
    @Test
    void nothingIsKnownOfFounders() {
        assertFound(
                Invariant.NOTHING_FOREIGN_IS_SEALED,
                Sight.ofCluster(seen -> new ClusterObjects(
                        seen.cluster(),
                        seen.peers(),
                        seen.claims().stream()
                                .map(ServiceSabotageTest::withoutBootstrap)
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
                        seen.lostVolumes())));
    }

    @Test
    void everyPodServesFromItsFirstMoment() {
        assertFound(Invariant.CLIENTS_MEET_THEIR_CLUSTER, writing((honest, world) -> new SpoiledKube(honest) {
            @Override
            public void create(HasMetadata object) throws StaleViewException, RefusedException {
                super.create(object instanceof ReplicaSet set ? serving(set) : object);
            }

            @Override
            public void apply(HasMetadata object) throws StaleViewException, RefusedException {
                super.apply(object instanceof ReplicaSet set ? serving(set) : object);
            }
        }));
    }

    @Test
    void noPodIsEverPutIntoTheService() {
        assertFound(Invariant.IT_SETTLES, writing((honest, world) -> new SpoiledKube(honest) {
            @Override
            public void label(HasMetadata object, Map<String, String> labels) {}
        }));
    }

    private static ReplicaSet serving(ReplicaSet set) {
        set.getSpec().getTemplate().getMetadata().getLabels().putAll(Labels.outOfService(false));
        return set;
    }

    private static PersistentVolumeClaim withoutBootstrap(PersistentVolumeClaim claim) {
        PersistentVolumeClaim changed = Objects.copy(claim);
        changed.setMetadata(new ObjectMetaBuilder(claim.getMetadata())
                .removeFromAnnotations(Labels.BOOTSTRAP_SIZE)
                .removeFromAnnotations(Labels.EXPECTED_MEMBER)
                .build());
        return changed;
    }
}
