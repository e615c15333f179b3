package etcdoperator.simulation;

import static etcdoperator.simulation.SabotageTest.assertFound;
import static etcdoperator.simulation.SabotageTest.writing;

import etcdoperator.etcd.EtcdClient;
import etcdoperator.simulation.etcd.SpoiledEtcd;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.kube.SpoiledKube;
import etcdoperator.simulation.rules.Invariant;
import etcdoperator.simulation.world.Sabotage;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Rolls that are done wrong are found out. */
class RollSabotageTest {
    @Test
    void twoPodsAtOnce() {
        assertFound(Invariant.RESTARTS_ONE_AT_A_TIME, writing((honest, world) -> new SpoiledKube(honest) {
            @Override
            public void delete(HasMetadata object) throws StaleViewException, RefusedException {
                super.delete(object);
                if (object instanceof Pod) {
                    Optional<Pod> other = world.server().list(Pod.class).stream()
                            .filter(pod -> !Objects.isDeleting(pod))
                            .findFirst();
                    if (other.isPresent()) {
                        super.delete(other.get());
                    }
                }
            }
        }));
    }

    @Test
    void podsKeepWhatTheyWereMadeWith() {
        assertFound(Invariant.IT_SETTLES, writing((honest, world) -> new SpoiledKube(honest) {
            @Override
            public void delete(HasMetadata object) throws StaleViewException, RefusedException {
                if (!(object instanceof Pod)) {
                    super.delete(object);
                }
            }
        }));
    }

    @Test
    void etcdIsNotToldOfADowngrade() {
        assertFound(Invariant.IT_SETTLES, new Sabotage() {
            @Override
            public EtcdClient etcd(EtcdClient honest) {
                return new SpoiledEtcd(honest) {
                    @Override
                    public void enableDowngrade(String minor, Duration deadline) {}
                };
            }
        });
    }
}
