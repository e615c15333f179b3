package etcdoperator.cluster.observe;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.cluster.scenario.ScenarioObjects;
import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Problem.Kind;
import etcdoperator.kube.ClusterObjects;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A learner is replaced on these findings, so that a wrong one costs a transfer of all data. */
class JoinDiagnosisTest {
    private static final String BACK_OFF = "{waiting: {reason: CrashLoopBackOff}}";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "panic: tocommit(6512) is out of range [lastIndex(0)]. Was the raft log corrupted, truncated, or lost?",
                "go.etcd.io/raft/v3.(*raftLog).commitTo(0x2726af3f99a0, 0x1970)",
                "the member has been permanently removed from the cluster"
            })
    void theseEndsAreTheSameAtEachStart(String words) {
        assertThat(of(BACK_OFF, end(2, words), "none")).contains(Kind.JoinFailed);
        assertThat(of(end(2, words), end(2, words), "none")).contains(Kind.JoinFailed);
    }

    /** It takes itself for removed, and Kubernetes keeps no message of an end without an error. */
    @Test
    void aLearnerThatEndsWellAfterAMomentDoesNotStay() {
        assertThat(of(BACK_OFF, end(0, ""), "none")).contains(Kind.JoinFailed);
        String later =
                "{terminated: {exitCode: 0, startedAt: '2026-01-01T11:00:00Z', finishedAt: '2026-01-01T12:00:00Z'}}";
        assertThat(of(BACK_OFF, later, "none")).isEmpty();
    }

    @Test
    void oneEndIsNoVerdict() {
        String words = "tocommit(9) is out of range";
        assertThat(of("{running: {startedAt: '2026-01-01T12:00:03Z'}}", end(2, words), "none"))
                .isEmpty();
        assertThat(of(end(2, words), end(137, "killed"), "none")).isEmpty();
        assertThat(of(BACK_OFF, end(1, "killed"), "none")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"requested", "found", ""})
    void aMemberThatMayHaveAVoteIsNoLearner(String promotion) {
        assertThat(of(BACK_OFF, end(2, "tocommit(9) is out of range"), promotion))
                .isEmpty();
    }

    @Test
    void aPodThatIsNotReadyYetHasRunOrNot() {
        assertThat(JoinDiagnosis.hasRun(pod("{waiting: {reason: ImagePullBackOff}}", "{}")))
                .isFalse();
        assertThat(JoinDiagnosis.hasRun(Serialization.unmarshal("metadata: {name: c-2}\nstatus: {}", Pod.class)))
                .isFalse();
        assertThat(JoinDiagnosis.hasRun(pod("{running: {}}", "{}"))).isTrue();
        assertThat(JoinDiagnosis.hasRun(pod(BACK_OFF, end(1, "")))).isTrue();
    }

    private static Optional<Kind> of(String state, String last, String promotion) {
        ClusterObjects objects = ScenarioObjects.of(ObservedObjects.read("claims: {c-2: {contents: joining%s}}"
                .formatted(promotion.isEmpty() ? "" : ", promotion: " + promotion)));
        return JoinDiagnosis.of(pod(state, last), "c-2", objects).map(Problem::kind);
    }

    private static String end(int code, String words) {
        return "{terminated: {exitCode: %d, message: '%s', startedAt: '2026-01-01T11:59:59Z', finishedAt: '2026-01-01T12:00:00Z'}}"
                .formatted(code, words);
    }

    private static Pod pod(String state, String last) {
        return Serialization.unmarshal(
                """
                metadata: {name: c-2-abcde}
                status:
                  containerStatuses: [{name: etcd, ready: false, restartCount: 3, state: %s, lastState: %s}]
                """
                        .formatted(state, last),
                Pod.class);
    }
}
