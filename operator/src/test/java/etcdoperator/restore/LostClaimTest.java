package etcdoperator.restore;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreStatus;
import etcdoperator.api.EtcdRestoreStatus.RestorePhase;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.manifest.AnyAgents;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.RestoreJobs;
import etcdoperator.simulation.kube.WrittenDown;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The claim with the backup is deleted while a cluster lies down for it, and the operator dies while it makes that good. */
class LostClaimTest {
    private static final ObjectKey KEY = new ObjectKey(World.NAMESPACE, "back");
    private static final int MORE_THAN_ENOUGH = 60;

    private final World world = new World();
    private final Others others = new Others(world);

    /** When the claim is lost, and when the operator dies after that. */
    static Stream<Arguments> everyWrite() {
        return IntStream.rangeClosed(8, 28)
                .boxed()
                .flatMap(lost -> IntStream.rangeClosed(1, 8)
                        .boxed()
                        .flatMap(
                                write -> Stream.of(Arguments.of(lost, write, false), Arguments.of(lost, write, true))));
    }

    @ParameterizedTest
    @MethodSource("everyWrite")
    void theClusterHasItsOwnClaimsAgain(int lost, int write, boolean after) throws StaleViewException {
        loseTheClaim(lost, write, after, world::remove);
    }

    /** Kubernetes keeps it for as long as there is a pod that names it, though none could start on it any more. */
    @ParameterizedTest
    @MethodSource("everyWrite")
    void soItHasIfTheClaimLingers(int lost, int write, boolean after) throws StaleViewException {
        loseTheClaim(lost, write, after, claim -> {
            claim.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
            world.put(claim);
        });
    }

    private void loseTheClaim(int lost, int write, boolean after, Consumer<PersistentVolumeClaim> delete)
            throws StaleViewException {
        others.wantRestore(true);
        others.haveCluster();
        world.kube().dieAtWrite(lost, true);
        run();
        if (!others.clusterLiesDown()) {
            return;
        }
        world.get(PersistentVolumeClaim.class, status().claimName()).ifPresent(delete);
        world.kube().dieAtWrite(write, after);
        run();
        run();
        assertThat(status().phase()).isEqualTo(RestorePhase.FAILED);
        assertThat(status().conditions().getFirst().getMessage()).contains("was deleted before EtcdCluster c");
        assertThat(others.clusterLiesDown()).isFalse();
        assertThat(others.claimsOf("c")).containsExactly("c-0", "c-1");
        assertThat(world.all(PersistentVolumeClaim.class)).allSatisfy(claim -> {
            assertThat(claim.getMetadata().getLabels())
                    .containsEntry(Labels.PEER, claim.getMetadata().getName());
            assertThat(claim.getMetadata().getAnnotations().getOrDefault(Labels.SET_ASIDE_BY, ""))
                    .isEmpty();
        });
        EtcdCluster cluster = world.get(EtcdCluster.class, "c").orElseThrow();
        assertThat(cluster.getStatus().clusterId()).isEqualTo(Others.OLD_ID);
        assertThat(cluster.getMetadata().getAnnotations()).doesNotContainKey(Labels.CLAIM_SEED);
    }

    private EtcdRestoreStatus status() {
        return world.get(EtcdRestore.class, "back").orElseThrow().getStatus();
    }

    /** Until the operator dies, or there is nothing to do any more. */
    private void run() throws StaleViewException {
        for (int pass = 0; pass < MORE_THAN_ENOUGH; pass++) {
            try {
                new RestorePass(world, world.kube(), AnyAgents.of("agent:1"), false, Others.CLOCK).run(KEY);
            } catch (WrittenDown.Death e) {
                return;
            }
            others.act();
            endDeletion();
        }
    }

    private void endDeletion() {
        if (world.all(Job.class).stream()
                .noneMatch(job -> job.getMetadata().getName().equals(RestoreJobs.filling("back")))) {
            world.all(PersistentVolumeClaim.class).stream()
                    .filter(claim -> claim.getMetadata().getDeletionTimestamp() != null)
                    .forEach(world::remove);
        }
    }
}
