package etcdoperator.cluster.observe;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Problem.Kind;
import etcdoperator.cluster.view.Start;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Members are replaced on these findings, so that a wrong one costs a member. */
class LostDataDiagnosisTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:13Z");

    private static final String EMPTY = "cannot fetch cluster info from peer urls";

    @Test
    void anEmptiedVolumeIsNamedAsSuch() {
        assertThat(Diagnosis.ofPod(ended(3, EMPTY), Start.ON_DATA, NOW)).hasValueSatisfying(problem -> {
            assertThat(problem.kind()).isEqualTo(Kind.VolumeEmpty);
            assertThat(problem.message()).contains("c-0-abcde", "would vote without its data");
        });
    }

    /** A joiner that finds nobody to join may start again; only who must have data has lost it. */
    @ParameterizedTest
    @EnumSource(names = {"JOINS", "FOUNDS"})
    void whoMayStartEmptyHasLostNothing(Start start) {
        Pod pod = ended(3, EMPTY);
        assertThat(Diagnosis.ofPod(pod, start, NOW).orElseThrow().kind()).isEqualTo(Kind.EtcdCrashing);
    }

    /** However often it has ended before: restarts are counted over a pod's whole life, and a disk may be mounted late. */
    @ParameterizedTest
    @ValueSource(strings = {EMPTY, "crc mismatch"})
    void oneEndIsNoVerdict(String words) {
        for (String state :
                List.of("{running: {startedAt: '2026-01-01T12:00:03Z'}}", "{running: {}}", "{waiting: {}}")) {
            assertThat(Diagnosis.ofPod(ended(1, state, words), Start.ON_DATA, NOW))
                    .isEmpty();
            assertThat(Diagnosis.ofPod(ended(7, state, words), Start.ON_DATA, NOW)
                            .map(Problem::kind))
                    .isNotEqualTo(Optional.of(Kind.VolumeEmpty))
                    .isNotEqualTo(Optional.of(Kind.DataCorrupt));
        }
    }

    @Test
    void anotherEndBeforeIsNoneOfTwo() {
        String state = "{terminated: {exitCode: 1, message: %s}}".formatted(EMPTY);
        assertThat(Diagnosis.ofPod(ended(7, state, "killed"), Start.ON_DATA, NOW)
                        .map(Problem::kind))
                .isNotEqualTo(Optional.of(Kind.VolumeEmpty));
    }

    /** The first restart has ended, too, so that two starts in a row have. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{waiting: {reason: CrashLoopBackOff}}",
                "{terminated: {exitCode: 1, message: cannot fetch cluster info from peer urls}}"
            })
    void twoEndsAre(String state) {
        Pod pod = ended(1, state, EMPTY);
        assertThat(Diagnosis.ofPod(pod, Start.ON_DATA, NOW).orElseThrow().kind())
                .isEqualTo(Kind.VolumeEmpty);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "walpb: crc mismatch",
                "wal: max entry size limit exceeded, recBytes: 1",
                "panic: freepages: failed to open: invalid database",
                "file: checksum error",
                "panic: cannot use none as id",
                "unexpected fault address 0x7f",
                "failed to recover v3 backend from snapshot",
                "wal: file not found"
            })
    void spoiltDataIsNamedAsSuchHoweverEtcdWasToStart(String words) {
        for (Start start : Start.values()) {
            assertThat(Diagnosis.ofPod(ended(2, words), start, NOW)).hasValueSatisfying(problem -> {
                assertThat(problem.kind()).isEqualTo(Kind.DataCorrupt);
                assertThat(problem.message()).contains("The data of pod c-0-abcde is corrupt");
            });
        }
    }

    @Test
    void whatEndedWithoutAWordIsNotSpoilt() {
        Pod pod = ended(3, "");
        pod.getStatus()
                .getContainerStatuses()
                .getFirst()
                .getLastState()
                .getTerminated()
                .setMessage(null);
        assertThat(Diagnosis.ofPod(pod, Start.ON_DATA, NOW).orElseThrow().kind())
                .isEqualTo(Kind.EtcdCrashing);
    }

    /** It ended after two seconds before. */
    @ParameterizedTest
    @CsvSource({"12:00:13, true", "12:01:18, true", "12:01:19, false", "13:00:00, false"})
    void whoRunsOnHasFoundItsDataAfterAll(String time, boolean empty) {
        Instant now = Instant.parse("2026-01-01T%sZ".formatted(time));
        assertThat(Diagnosis.ofPod(ended(3, EMPTY), Start.ON_DATA, now).isPresent())
                .isEqualTo(empty);
        assertThat(Diagnosis.ofPod(ended(3, "killed"), Start.ON_DATA, now).isPresent())
                .isEqualTo(empty);
    }

    @Test
    void onceReadyAnEarlierEndDoesNotCount() {
        Pod pod = ended(3, "crc mismatch");
        pod.getStatus().getContainerStatuses().getFirst().setReady(true);
        assertThat(Diagnosis.ofPod(pod, Start.ON_DATA, NOW)).isEmpty();
    }

    /** Runs again for the moment, after it was held back. */
    private static Pod ended(int restarts, String words) {
        return ended(restarts, "{running: {startedAt: '2026-01-01T12:00:12Z'}}", words);
    }

    private static Pod ended(int restarts, String state, String words) {
        return Serialization.unmarshal("""
                apiVersion: v1
                kind: Pod
                metadata: {name: c-0-abcde}
                status:
                  phase: Running
                  containerStatuses:
                  - name: etcd
                    ready: false
                    restartCount: %d
                    state: %s
                    lastState:
                      terminated:
                        exitCode: 1
                        startedAt: "2026-01-01T12:00:00Z"
                        finishedAt: "2026-01-01T12:00:02Z"
                        message: '%s'
                """.formatted(restarts, state, words), Pod.class);
    }
}
