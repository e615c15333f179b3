package etcdoperator.simulation;

import static etcdoperator.simulation.SabotageTest.assertFound;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.KubeCache.PeerKey;
import etcdoperator.kube.ObjectCache;
import etcdoperator.simulation.rules.Invariant;
import etcdoperator.simulation.world.Sabotage;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Two installations of the operator, broken on purpose, act on one cluster. */
class InstallationSabotageTest {
    @BeforeAll
    static void quiet() {
        ((Logger) LoggerFactory.getLogger("etcdoperator")).setLevel(Level.OFF);
    }

    @Test
    void aRecordIsNotRead() {
        assertFound(
                Invariant.ONE_INSTALLATION_MANAGES,
                seeing(found -> found.map(cluster -> {
                    var unrecorded = new EtcdCluster();
                    unrecorded.setMetadata(cluster.getMetadata());
                    unrecorded.setSpec(cluster.getSpec());
                    return unrecorded;
                })));
    }

    @Test
    void passesRunWhoeverManages() {
        assertFound(Invariant.ONE_INSTALLATION_MANAGES, seeing(found -> Optional.empty()));
    }

    private static Sabotage seeing(UnaryOperator<Optional<EtcdCluster>> spoil) {
        return new Sabotage() {
            @Override
            public ObjectCache objects(ObjectCache honest) {
                return new ObjectCache() {
                    @Override
                    public Optional<EtcdCluster> cluster(ClusterKey key) {
                        return spoil.apply(honest.cluster(key));
                    }

                    @Override
                    public Optional<EtcdPeer> peer(PeerKey key) {
                        return honest.peer(key);
                    }

                    @Override
                    public Optional<EtcdBackup> backup(ObjectKey key) {
                        return honest.backup(key);
                    }

                    @Override
                    public Optional<EtcdBackupSchedule> schedule(ObjectKey key) {
                        return honest.schedule(key);
                    }

                    @Override
                    public Optional<EtcdRestore> restore(ObjectKey key) {
                        return honest.restore(key);
                    }
                };
            }
        };
    }
}
