package etcdoperator.restore;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreStatus;
import etcdoperator.api.EtcdRestoreStatus.RestorePhase;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.manifest.AnyAgents;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.kube.WrittenDown;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A cluster goes on with a survivor's disk, whenever the operator dies, and whenever it is called off. */
class SalvagePassTest {
    private static final ObjectKey KEY = new ObjectKey(World.NAMESPACE, "back");
    private static final int MORE_THAN_ENOUGH = 60;

    private final World world = new World();
    private final Others others = new Others(world);

    static Stream<Arguments> everyWrite() {
        return IntStream.rangeClosed(1, 36)
                .boxed()
                .flatMap(write -> Stream.of(Arguments.of(write, false), Arguments.of(write, true)));
    }

    @BeforeEach
    void lay() {
        others.wantSalvage("");
        others.haveCluster();
    }

    @Test
    void whatWasOnTheDiskIsTold() throws StaleViewException {
        run();
        assertExchanged();
        assertThat(status().sourceClaim()).isEqualTo("c-0");
        assertThat(status().revision()).isEqualTo(42);
        assertThat(status().backupTime()).isEqualTo(Instant.parse("2026-01-01T11:00:00Z"));
        assertThat(status().setAsideClaims()).containsExactly("c-0", "c-1");
    }

    @ParameterizedTest
    @MethodSource("everyWrite")
    void ofTwoTheOneIsTakenThatGoesFurthest(int write, boolean after) throws StaleViewException {
        others.wantSalvage("c-1");
        world.kube().dieAtWrite(write, after);
        run();
        run();
        assertExchanged();
        assertThat(world.writes()).contains("create Job back-survey-0", "create Job back-survey-1");
        assertThat(world.all(Job.class)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("everyWrite")
    void afterACrashItGoesOn(int write, boolean after) throws StaleViewException {
        world.kube().dieAtWrite(write, after);
        run();
        run();
        assertExchanged();
        assertThat(world.writes().stream().filter(done -> done.startsWith("create")))
                .doesNotHaveDuplicates();
    }

    /** Either the cluster has its own claims, all of them and nothing else, or the exchange was done to its end. */
    @ParameterizedTest
    @MethodSource("everyWrite")
    void calledOffAtAnyMomentTheClusterHasTheOneDataOrTheOther(int write, boolean after) throws StaleViewException {
        world.kube().dieAtWrite(write, after);
        run();
        others.delete();
        run();
        assertThat(others.clusterLiesDown()).isFalse();
        assertThat(world.get(EtcdRestore.class, "back")
                        .map(restore -> restore.getMetadata().getFinalizers())
                        .orElse(List.of()))
                .isEmpty();
        if (others.claimsOf("c").contains("c-0")) {
            assertAsItWas();
        } else {
            assertThat(others.claimsOf("c")).hasSize(1);
        }
    }

    @Test
    void aFailedOneLeavesTheClusterAsItWas() throws StaleViewException {
        others.failing();
        run();
        assertThat(status().phase()).isEqualTo(RestorePhase.FAILED);
        assertThat(status().conditions().getFirst().getMessage()).isEqualTo("The object is corrupt");
        assertThat(others.clusterLiesDown()).isFalse();
        assertAsItWas();
        assertThat(world.all(EtcdPeer.class)).hasSize(2);
        assertThat(world.all(Job.class)).isEmpty();
    }

    /** A Job that cannot mount a claim would wait for ever. */
    @Test
    void whenTheSourceIsDeletedNobodyWaitsForTheJob() throws StaleViewException {
        others.idle();
        run();
        assertThat(status().conditions().getFirst().getMessage()).contains("Waiting for the data of claim c-0");
        world.get(PersistentVolumeClaim.class, "c-0").ifPresent(world::remove);
        run();
        assertThat(status().phase()).isEqualTo(RestorePhase.FAILED);
        assertThat(status().conditions().getFirst().getMessage()).contains("Claim c-0 is gone, being deleted or lost");
        assertThat(others.clusterLiesDown()).isFalse();
        assertThat(others.claimsOf("c")).containsExactly("c-1");
    }

    /** Its node was declared dead meanwhile, so that no Job could ever read it. */
    @Test
    void whenTheSourceIsLostWithItsNodeNobodyWaitsForTheJob() throws StaleViewException {
        others.idle();
        run();
        world.loseVolume("c-0");
        run();
        assertThat(status().phase()).isEqualTo(RestorePhase.FAILED);
        assertThat(status().conditions().getFirst().getMessage()).contains("Claim c-0 is gone");
        assertAsItWas();
    }

    private void assertExchanged() {
        assertThat(status().phase()).isEqualTo(RestorePhase.COMPLETED);
        assertThat(others.claimsOf("c")).containsExactly(status().claimName());
        assertThat(world.all(PersistentVolumeClaim.class))
                .extracting(claim -> claim.getMetadata().getName())
                .contains("c-0", "c-1");
        assertThat(others.clusterLiesDown()).isFalse();
    }

    private void assertAsItWas() {
        assertThat(world.all(PersistentVolumeClaim.class))
                .extracting(claim -> claim.getMetadata().getName())
                .containsExactly("c-0", "c-1");
        assertThat(others.claimsOf("c")).containsExactly("c-0", "c-1");
        EtcdCluster cluster = world.get(EtcdCluster.class, "c").orElseThrow();
        assertThat(cluster.getStatus().clusterId()).isEqualTo(Others.OLD_ID);
        assertThat(cluster.getMetadata().getAnnotations()).doesNotContainKey(Labels.CLAIM_SEED);
    }

    private EtcdRestoreStatus status() {
        return world.get(EtcdRestore.class, "back").orElseThrow().getStatus();
    }

    /** Until the operator dies, or there is nothing to do any more. Nobody may read while a peer is there. */
    private void run() throws StaleViewException {
        for (int pass = 0; pass < MORE_THAN_ENOUGH; pass++) {
            try {
                new RestorePass(world, world.kube(), AnyAgents.of("agent:1"), false, Others.CLOCK).run(KEY);
            } catch (WrittenDown.Death e) {
                return;
            }
            if (world.all(Job.class).stream().anyMatch(job -> job.getStatus() == null)) {
                assertThat(world.all(EtcdPeer.class)).isEmpty();
            }
            others.act();
            // As the garbage collector does.
            world.all(Pod.class).stream()
                    .filter(pod -> world.all(Job.class).isEmpty())
                    .forEach(world::remove);
        }
    }
}
