package etcdoperator.installation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.StorageSpec;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.Installation;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.kube.KubeCache.PeerKey;
import etcdoperator.kube.ObjectCache;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.kube.WrittenDown;
import etcdoperator.simulation.world.FakeNamespace;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Two installations that watch one namespace. */
class ManagedPassesTest {
    private static final ClusterKey KEY = new ClusterKey("ns", "c");
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private final FakeNamespace namespace = new FakeNamespace(NOW);
    private final Operator first = new Operator("ops/etcd-operator");
    private final Operator second = new Operator("team/etcd-operator");

    /** One installation, and what its passes have run over. */
    private final class Operator implements ObjectCache {
        private final List<String> ran = new ArrayList<>();
        private final List<String> released = new ArrayList<>();
        private final String name;
        private final ManagedPasses managed;
        private Optional<EtcdCluster> stale = Optional.empty();

        Operator(String name) {
            this.name = name;
            this.managed = new ManagedPasses(
                    Installation.tryParse(name).orElseThrow(), this, namespace.kube(), namespace.clock());
        }

        private Optional<Duration> ran(Object key) {
            ran.add(key.toString());
            return Optional.empty();
        }

        private void released(Object key) {
            released.add(key.toString());
        }

        Optional<Duration> runCluster() throws StaleViewException {
            return managed.clusters(this::ran, this::released).run(KEY);
        }

        Optional<Duration> runPeer() throws StaleViewException {
            return managed.peers(this::ran).run(new PeerKey("ns", "c-0"));
        }

        Optional<Duration> runBackup() throws StaleViewException {
            return managed.backups(this::ran, this::released).run(new ObjectKey("ns", "b"));
        }

        Optional<Duration> runSchedule() throws StaleViewException {
            return managed.schedules(this::ran).run(new ObjectKey("ns", "s"));
        }

        Optional<Duration> runRestore() throws StaleViewException {
            return managed.restores(this::ran).run(new ObjectKey("ns", "r"));
        }

        @Override
        public Optional<EtcdCluster> cluster(ClusterKey key) {
            return stale.or(() -> namespace.cached(EtcdCluster.class, key.name()));
        }

        @Override
        public Optional<EtcdPeer> peer(PeerKey key) {
            return namespace.cached(EtcdPeer.class, key.name());
        }

        @Override
        public Optional<EtcdBackup> backup(ObjectKey key) {
            return namespace.cached(EtcdBackup.class, key.name());
        }

        @Override
        public Optional<EtcdBackupSchedule> schedule(ObjectKey key) {
            return namespace.cached(EtcdBackupSchedule.class, key.name());
        }

        @Override
        public Optional<EtcdRestore> restore(ObjectKey key) {
            return namespace.cached(EtcdRestore.class, key.name());
        }
    }

    @Test
    void theFirstToSeeAClusterTakesItBeforeAnythingElse() throws StaleViewException {
        createCluster();
        assertThat(first.runCluster()).isPresent();
        assertThat(first.ran).isEmpty();
        assertThat(manager()).contains(first.name);

        assertThat(first.runCluster()).isEmpty();
        assertThat(first.ran).containsExactly("ns/c");
        assertThat(namespace.kube().writes()).containsExactly("status EtcdCluster c");
        assertThat(told()).isEmpty();
    }

    @Test
    void theOtherOneLeavesItAloneAndSaysSo() throws StaleViewException {
        createCluster();
        first.runCluster();
        namespace.kube().writes().clear();

        assertThat(second.runCluster()).isPresent();
        assertThat(second.ran).isEmpty();
        assertThat(second.released).containsExactly("ns/c");
        assertThat(namespace.kube().writes()).isEmpty();
        assertThat(second.managed.elsewhere()).isOne();
        assertThat(told())
                .containsExactly(
                        "ManagedElsewhere: Installation team/etcd-operator leaves EtcdCluster c alone, because installation ops/etcd-operator manages it; to have installation team/etcd-operator take it over, run kubectl --namespace ns annotate etcdcluster c etcd.improbable.io/installation=team/etcd-operator --overwrite");
    }

    @Test
    void itSaysSoAgainOnlyBeforeTheEventIsGone() throws StaleViewException {
        createCluster();
        first.runCluster();
        second.runCluster();
        second.runCluster();
        assertThat(told()).hasSize(1);
        namespace.set(NOW.plus(Duration.ofMinutes(50)));
        second.runCluster();
        assertThat(told()).hasSize(2);
    }

    /** Both have read the cluster when it had no manager. */
    @Test
    void ofTwoAtOnceOneTakesIt() throws StaleViewException {
        createCluster();
        second.stale = namespace.get(EtcdCluster.class, "c");
        first.runCluster();
        assertThatThrownBy(second::runCluster).isInstanceOf(StaleViewException.class);
        second.stale = Optional.empty();
        second.runCluster();
        assertThat(second.ran).isEmpty();
        assertThat(manager()).contains(first.name);
    }

    @Test
    void installedAgainItIsTheSame() throws StaleViewException {
        createCluster();
        first.runCluster();
        var again = new Operator(first.name);
        again.runCluster();
        assertThat(again.ran).containsExactly("ns/c");
    }

    @Test
    void aCrashBetweenTheRecordAndTheFirstPassCostsNothing() throws StaleViewException {
        createCluster();
        namespace.kube().dieAtWrite(1, true);
        assertThatThrownBy(first::runCluster).isInstanceOf(WrittenDown.Death.class);
        second.runCluster();
        var again = new Operator(first.name);
        again.runCluster();
        assertThat(second.ran).isEmpty();
        assertThat(again.ran).containsExactly("ns/c");
    }

    /** Until the other one is there, the cluster keeps its manager. */
    @Test
    void anAnnotationHandsItOver() throws StaleViewException {
        createCluster();
        first.runCluster();
        ask(second.name);

        first.runCluster();
        assertThat(first.ran).containsExactly("ns/c");
        assertThat(told())
                .containsExactly(
                        "HandOverAwaited: Installation ops/etcd-operator manages EtcdCluster c until installation team/etcd-operator takes it over, which annotation etcd.improbable.io/installation names; if team/etcd-operator does not watch this namespace, correct or remove the annotation");

        second.runCluster();
        assertThat(manager()).contains(second.name);
        assertThat(told().getLast())
                .isEqualTo(
                        "TakenOver: Installation team/etcd-operator manages EtcdCluster c from now on, as annotation etcd.improbable.io/installation asks; installation ops/etcd-operator did before");
        second.runCluster();
        assertThat(second.ran).containsExactly("ns/c");
        first.runCluster();
        assertThat(first.ran).hasSize(1);
        assertThat(first.released).containsExactly("ns/c");
    }

    @Test
    void whatNamesNoInstallationIsIgnored() throws StaleViewException {
        createCluster();
        ask("etcd-operator");
        first.runCluster();
        first.runCluster();
        assertThat(first.ran).containsExactly("ns/c");
        assertThat(told())
                .containsExactly(
                        "HandOverAwaited: Annotation etcd.improbable.io/installation of EtcdCluster c is ignored: \"etcd-operator\" is not of the form NAMESPACE/RELEASE; installation ops/etcd-operator manages it");
    }

    @Test
    void aNewClusterWaitsForTheInstallationThatItNames() throws StaleViewException {
        createCluster();
        ask(second.name);
        first.runCluster();
        assertThat(first.ran).isEmpty();
        assertThat(manager()).isEmpty();
        assertThat(told().getFirst())
                .startsWith(
                        "ManagedElsewhere: Installation ops/etcd-operator leaves EtcdCluster c alone, because its annotation etcd.improbable.io/installation names installation team/etcd-operator, which has not taken it yet");
        second.runCluster();
        assertThat(manager()).contains(second.name);
    }

    @Test
    void aRefusedRecordIsTriedAgain() throws StaleViewException {
        createCluster();
        namespace.kube().refuse("status", "no quota");
        assertThat(first.runCluster()).contains(Duration.ofSeconds(10));
        assertThat(first.ran).isEmpty();
        assertThat(told()).containsExactly("Refused: no quota");
    }

    @Test
    void aClusterThatIsGoneOrGoingNeedsNoManager() throws StaleViewException {
        first.runCluster();
        createCluster();
        change(cluster -> cluster.getMetadata().setDeletionTimestamp("2026-01-01T12:00:00Z"));
        first.runCluster();
        assertThat(first.ran).containsExactly("ns/c", "ns/c");
        assertThat(namespace.kube().writes()).isEmpty();
    }

    @Test
    void whatBelongsToAClusterHasItsManager() throws StaleViewException {
        createDependents();
        createCluster();
        runDependents(first);
        assertThat(first.ran).as("nobody has taken the cluster yet").isEmpty();

        first.runCluster();
        runDependents(first);
        runDependents(second);
        assertThat(first.ran).containsExactly("ns/c-0", "ns/b", "ns/s", "ns/r");
        assertThat(second.ran).isEmpty();
        assertThat(second.released).containsExactly("ns/b");
        assertThat(namespace.kube().writes()).containsExactly("status EtcdCluster c");
    }

    /** Backups, schedules and restores outlive their cluster, or come before it. */
    @Test
    void withoutItsClusterEachHasAManagerOfItsOwn() throws StaleViewException {
        createDependents();
        runDependents(first);
        assertThat(first.ran).isEmpty();
        runDependents(second);
        runDependents(first);
        assertThat(first.ran).containsExactly("ns/b", "ns/s", "ns/r");
        assertThat(second.ran).isEmpty();
        assertThat(namespace.kube().writes())
                .containsExactly("status EtcdBackup b", "status EtcdBackupSchedule s", "status EtcdRestore r");
        assertThat(told()).hasSize(3).allMatch(event -> event.startsWith("ManagedElsewhere: "));
    }

    private static void runDependents(Operator operator) throws StaleViewException {
        operator.runPeer();
        operator.runBackup();
        operator.runSchedule();
        operator.runRestore();
    }

    private List<String> told() {
        return namespace.kube().told().stream()
                .map(notice -> notice.reason() + ": " + notice.message())
                .toList();
    }

    private Optional<String> manager() {
        return namespace
                .get(EtcdCluster.class, "c")
                .flatMap(cluster -> Optional.ofNullable(cluster.getStatus()))
                .flatMap(status -> Optional.ofNullable(status.installation()));
    }

    private void createCluster() {
        var cluster = new EtcdCluster();
        cluster.setMetadata(new ObjectMetaBuilder().withName("c").build());
        cluster.setSpec(EtcdClusterSpec.of(1, "3.6.16", new StorageSpec(new PersistentVolumeClaimSpec())));
        namespace.put(cluster);
    }

    private void ask(String installation) {
        change(cluster -> cluster.getMetadata().setAnnotations(Map.of(Labels.INSTALLATION, installation)));
    }

    private void change(Consumer<EtcdCluster> change) {
        EtcdCluster cluster = namespace.get(EtcdCluster.class, "c").orElseThrow();
        change.accept(cluster);
        namespace.put(cluster);
    }

    private void createDependents() {
        create("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdPeer
                metadata: {name: c-0}
                spec: {clusterName: c, claimName: c-0}
                """, EtcdPeer.class);
        create("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackup
                metadata: {name: b}
                spec: {source: {cluster: c}, destination: {volume: {claimName: v}}}
                """, EtcdBackup.class);
        create("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackupSchedule
                metadata: {name: s}
                spec: {schedule: "0 * * * *", backupTemplate: {source: {cluster: c}, destination: {volume: {claimName: v}}}}
                """, EtcdBackupSchedule.class);
        create("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdRestore
                metadata: {name: r}
                spec: {source: {backup: b}, clusterTemplate: {clusterName: c}}
                """, EtcdRestore.class);
    }

    private <T extends HasMetadata> void create(String yaml, Class<T> type) {
        namespace.put(Serialization.unmarshal(yaml, type));
    }
}
