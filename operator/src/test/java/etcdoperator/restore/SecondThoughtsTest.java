package etcdoperator.restore;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreStatus.RestorePhase;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.manifest.AnyAgents;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.Recoveries;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimStatus;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A recovery from claim c-0, of a cluster whose claim c-1 was found empty. */
class SecondThoughtsTest {
    private static final ObjectKey KEY = new ObjectKey(World.NAMESPACE, "back");
    private static final String LOOK = "back-look-0";
    private static final int MORE_THAN_ENOUGH = 60;

    private final World world = new World();
    private final Others others = new Others(world);
    private boolean found;
    private String endedAt = "2026-01-01T12:00:00Z";

    @BeforeEach
    void lay() {
        others.wantSalvage("");
        others.haveCluster();
        annotate(Map.of(
                Labels.RECOVERS,
                Others.OLD_ID,
                Labels.WITHOUT_DATA,
                "c-1",
                Labels.FOUND_EMPTY,
                "c-1",
                Labels.LOSS_CONFIRMED,
                "2026-01-01T12:00:00Z"));
    }

    @Test
    void nothingIsThere() throws StaleViewException {
        run();
        assertThat(world.writes()).containsOnlyOnce("create Job " + LOOK);
        assertThat(restore().getStatus().phase()).isEqualTo(RestorePhase.COMPLETED);
        assertThat(restore().getStatus().setAsideClaims()).containsExactly("c-0", "c-1");
        assertThat(world.all(Job.class)).isEmpty();
    }

    /** That the loss was confirmed before counts no longer, so that nothing is set aside until it is judged again. */
    @Test
    void dataIsThere() throws StaleViewException {
        found = true;
        run();
        assertThat(Recoveries.withoutData(restore())).isEmpty();
        assertThat(others.claimsOf("c")).containsExactly("c-0", "c-1");
        assertThat(restore().getStatus().conditions().getFirst().getMessage())
                .contains("Waiting for EtcdCluster c to be judged once more");
    }

    /** Called off, nobody reads the claims that the cluster starts on; here nobody else does any more. */
    @Test
    void thePodsThatLookGoBeforeTheClusterStarts() throws StaleViewException {
        others.idle();
        run();
        world.get(Job.class, "back-restore").ifPresent(world::remove);
        assertThat(world.get(Job.class, LOOK)).isPresent();
        others.delete();
        run();
        assertThat(world.writes()).containsSubsequence("delete Job " + LOOK, "annotate EtcdCluster c");
        assertThat(world.all(Job.class)).isEmpty();
        assertThat(others.clusterLiesDown()).isFalse();
        assertThat(others.claimsOf("c")).containsExactly("c-0", "c-1");
    }

    @Test
    void whatWasFoundTooLongAgoIsLookedAtAnew() throws StaleViewException {
        endedAt = "2026-01-01T11:58:59Z";
        run();
        assertThat(world.writes().stream().filter(("create Job " + LOOK)::equals))
                .hasSizeGreaterThan(1);
        assertThat(others.claimsOf("c")).containsExactly("c-0", "c-1");
    }

    static Stream<Consumer<PersistentVolumeClaim>> proofs() {
        return Stream.of(
                claim -> claim.getMetadata().setDeletionTimestamp("2026-01-01T12:00:00Z"),
                claim -> claim.setStatus(phase("Lost")),
                claim -> claim.getMetadata().setCreationTimestamp("2026-01-01T12:00:01Z"));
    }

    @ParameterizedTest
    @MethodSource("proofs")
    void nobodyLooksWhereThereIsProofOrAnotherClaim(Consumer<PersistentVolumeClaim> proof) throws StaleViewException {
        PersistentVolumeClaim claim =
                world.get(PersistentVolumeClaim.class, "c-1").orElseThrow();
        proof.accept(claim);
        world.put(claim);
        run();
        assertThat(world.writes()).doesNotContain("create Job " + LOOK);
    }

    @Test
    void nobodyLooksAtWhatWentWithItsNode() throws StaleViewException {
        world.loseVolume("c-1");
        run();
        assertThat(world.writes()).doesNotContain("create Job " + LOOK);
        assertThat(restore().getStatus().phase()).isEqualTo(RestorePhase.COMPLETED);
    }

    private static PersistentVolumeClaimStatus phase(String phase) {
        var status = new PersistentVolumeClaimStatus();
        status.setPhase(phase);
        return status;
    }

    private EtcdRestore restore() {
        return world.get(EtcdRestore.class, "back").orElseThrow();
    }

    private void annotate(Map<String, String> annotations) {
        EtcdRestore restore = restore();
        restore.getMetadata().setAnnotations(new HashMap<>(annotations));
        world.put(restore);
    }

    private void run() throws StaleViewException {
        for (int pass = 0; pass < MORE_THAN_ENOUGH; pass++) {
            new RestorePass(world, world.kube(), AnyAgents.of("agent:1"), false, Others.CLOCK).run(KEY);
            List<Job> looks = world.all(Job.class).stream()
                    .filter(job -> job.getMetadata().getName().equals(LOOK) && job.getStatus() == null)
                    .toList();
            others.actButFor(looks, job -> others.finish(job, found, endedAt));
        }
    }
}
