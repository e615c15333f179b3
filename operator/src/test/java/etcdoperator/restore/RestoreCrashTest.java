package etcdoperator.restore;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdRestoreStatus.RestorePhase;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Restores that are cut short before and after each of their writes. */
class RestoreCrashTest {
    private final RestoreRun run = new RestoreRun();
    private final World world = run.world();
    private final Others others = run.others();

    static Stream<Arguments> everyWrite() {
        return IntStream.rangeClosed(1, 40)
                .boxed()
                .flatMap(write -> Stream.of(Arguments.of(write, false), Arguments.of(write, true)));
    }

    @ParameterizedTest
    @MethodSource("everyWrite")
    void aNewClusterComesUpAfterACrash(int write, boolean after) throws StaleViewException {
        others.wantRestore(false);
        world.kube().dieAtWrite(write, after);
        run.toTheEnd();
        assertThat(run.status().phase()).isEqualTo(RestorePhase.COMPLETED);
        run.isNewCluster();
        assertThat(world.writes().stream().filter(done -> done.startsWith("create")))
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("everyWrite")
    void inPlaceAfterACrash(int write, boolean after) throws StaleViewException {
        others.wantRestore(true);
        others.haveCluster();
        world.kube().dieAtWrite(write, after);
        run.toTheEnd();
        assertThat(run.status().phase()).isEqualTo(RestorePhase.COMPLETED);
        run.isExchanged();
    }

    /** The claims of before are all there at every moment, and named before they are touched. */
    @ParameterizedTest
    @MethodSource("everyWrite")
    void deletedAtAnyMomentTheClusterHasTheOneDataOrTheOther(int write, boolean after) throws StaleViewException {
        others.wantRestore(true);
        others.haveCluster();
        world.kube().dieAtWrite(write, after);
        run.untilTheCrash();
        others.delete();
        run.toTheEnd();
        EtcdCluster cluster = world.get(EtcdCluster.class, "c").orElseThrow();
        assertThat(cluster.getMetadata().getAnnotations().getOrDefault(Labels.RESTORING, ""))
                .isEmpty();
        List<String> used = others.claimsOf("c");
        assertThat(world.all(PersistentVolumeClaim.class).stream()
                        .map(claim -> claim.getMetadata().getName()))
                .contains("c-0", "c-1");
        if (used.contains("c-0")) {
            assertThat(used).containsExactly("c-0", "c-1");
            assertThat(cluster.getStatus().clusterId()).isEqualTo(Others.OLD_ID);
        } else {
            run.isExchanged();
        }
    }
}
