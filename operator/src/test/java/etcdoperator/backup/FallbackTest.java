package etcdoperator.backup;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.backup.BackupView.Volume;
import etcdoperator.domain.ObjectKey;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a volume is read, and whose. */
class FallbackTest {
    private static final Instant NOW = Instant.parse("2026-11-15T10:00:00Z");
    private final BackupWorld world = new BackupWorld();
    private SilentCluster cluster;

    @BeforeEach
    void createCluster() throws Exception {
        cluster = SilentCluster.in(world);
        world.has(Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackup
                metadata: {name: b}
                spec: {source: {cluster: c}, destination: {volume: {claimName: backups}}}
                """, EtcdBackup.class));
    }

    @Test
    void onlyAfterAMinuteOfSilence() {
        assertThat(volume(NOW)).isEqualTo(new Volume.InUse("c-0"));
        assertThat(volume(Instant.parse("2026-11-15T09:51:00Z"))).isEqualTo(new Volume.InUse("c-0"));
        assertThat(volume(Instant.parse("2026-11-15T09:50:59Z"))).isEqualTo(new Volume.None());
    }

    @Test
    void notWhileSomebodyIsWell() {
        cluster.answersAgain();
        assertThat(volume(NOW)).isEqualTo(new Volume.None());
    }

    @ParameterizedTest
    @CsvSource({
        "Bootstrap, 2026-11-15T09:00:00Z, ClusterStarts",
        "Resume, 2026-11-15T09:55:00Z, ClusterStarts",
        "Adopt, 2026-11-15T09:55:00Z, ClusterStarts",
        "Restore, 2026-11-15T09:00:00Z, ClusterRestores"
    })
    void notWhileTheClusterIsOnItsWay(String operation, String since, String reason) {
        cluster.reports("operation: {type: %s, startedAt: \"%s\"}".formatted(operation, since));
        assertThat(volume(NOW))
                .isInstanceOfSatisfying(
                        Volume.NotYet.class, wait -> assertThat(wait.reason()).isEqualTo(reason));
    }

    /** Some volumes were lost, and what is left will never be a quorum. */
    @Test
    void whatHasNotComeUpForLongIsRead() {
        cluster.reports("operation: {type: Resume, startedAt: \"2026-11-15T09:45:00Z\"}");
        assertThat(volume(NOW)).isEqualTo(new Volume.InUse("c-0"));
    }

    @Test
    void notWhileARestoreWantsItToLieDown() {
        EtcdCluster lying = world.find(EtcdCluster.class, "c").orElseThrow();
        lying.getMetadata().setAnnotations(Map.of(Labels.RESTORING, "r/u"));
        world.changes(lying);
        assertThat(volume(NOW)).isInstanceOf(Volume.NotYet.class);
    }

    /** It has slept until now, so that it was silent for long, but it is not so any more. */
    @Test
    void notOnWhatWasSaidOfAnotherSpec() {
        EtcdCluster waking = world.find(EtcdCluster.class, "c").orElseThrow();
        waking.getMetadata().setGeneration(2L);
        world.changes(waking);
        assertThat(volume(NOW)).isEqualTo(new Volume.None());
    }

    @Test
    void whoLedLastComesFirst() {
        cluster.reports("leader: c-1");
        assertThat(volume(NOW)).isEqualTo(new Volume.InUse("c-1"));
    }

    @Test
    void whatIsKnownToBeLostIsNotRead() {
        change(claim("c-0"), claim -> claim.getStatus().setPhase("Lost"));
        assertThat(volume(NOW)).isEqualTo(new Volume.InUse("c-1"));
        change(claim("c-1"), claim -> claim.getMetadata().setAnnotations(Map.of(Labels.JOINING, "true")));
        assertThat(volume(NOW)).isEqualTo(new Volume.InUse("c-2"));
        change(
                world.find(Pod.class, "c-2-pod").orElseThrow(),
                pod -> pod.setStatus(Serialization.unmarshal("""
                phase: Running
                containerStatuses:
                  - name: etcd
                    restartCount: 3
                    ready: false
                    lastState: {terminated: {exitCode: 1, message: cannot fetch cluster info from peer urls}}
                    state: {waiting: {reason: CrashLoopBackOff}}
                """, PodStatus.class)));
        assertThat(volume(NOW)).isEqualTo(new Volume.None());
    }

    /** Its pod there never ends, and no other one gets the volume. */
    @Test
    void norWhatIsOnANodeThatIsAway() {
        for (String name : List.of("c-0-pod", "c-1-pod")) {
            change(
                    world.find(Pod.class, name).orElseThrow(),
                    pod -> pod.getSpec().setNodeName("away"));
        }
        assertThat(volume(NOW)).isEqualTo(new Volume.InUse("c-2"));
    }

    @Test
    void norWhatIsOfAnotherCluster() {
        for (String name : List.of("c-0", "c-1", "c-2")) {
            change(claim(name), claim -> claim.getMetadata().getAnnotations().put(Labels.CLUSTER_ID, "def"));
        }
        assertThat(volume(NOW)).isEqualTo(new Volume.None());
    }

    private PersistentVolumeClaim claim(String name) {
        return world.find(PersistentVolumeClaim.class, name).orElseThrow();
    }

    private <T extends HasMetadata> void change(T object, Consumer<T> edit) {
        edit.accept(object);
        world.changes(object);
    }

    private Volume volume(Instant now) {
        return Fallback.of(
                world.backup(new ObjectKey(BackupWorld.NAMESPACE, "b")).orElseThrow(), now);
    }
}
