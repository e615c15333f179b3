package etcdoperator.cluster.observe;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Problem.Kind;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The words are those of a real kubelet. */
class MountingTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final String GONE =
            "MountVolume.NewMounter initialization failed for volume \"pvc-1\" : path \"/disks/1\" does not exist";

    @Test
    void aDiskThatIsGoneIsNamed() {
        assertThat(Mounting.of(claim(), List.of(waiting()), List.of(said("p1", GONE)), NOW))
                .contains(new Mounting(
                        new Problem(
                                Kind.VolumeNotMounted,
                                "Pod c-0-abcde cannot have the volume of claim c-0: %s; bring the disk back, or delete the claim if the disk is gone for good"
                                        .formatted(GONE)),
                        Instant.parse("2026-01-01T11:00:00Z")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            p1 | MountVolume.SetUp failed for volume "tls" : secret "c-server-tls" not found
            p1 | Unable to attach or mount volumes: timed out waiting for the condition
            p2 | MountVolume.SetUp failed for volume "pvc-1" : it was another pod's
            """)
    void whatIsSaidOfOthersIsNotTaken(String pod, String words) {
        assertThat(Mounting.of(claim(), List.of(waiting()), List.of(said(pod, words)), NOW))
                .isEmpty();
    }

    /** Once it has started, it has its volume, whatever was said before. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{restartCount: 0, state: {running: {}}}",
                "{restartCount: 0, state: {terminated: {exitCode: 1}}}",
                "{restartCount: 1, state: {waiting: {reason: CrashLoopBackOff}}}",
                "{restartCount: 0, state: {waiting: {reason: ImagePullBackOff}}}"
            })
    void whoHasStartedHasItsVolume(String container) {
        assertThat(Mounting.of(claim(), List.of(pod("c-0", container)), List.of(said("p1", GONE)), NOW))
                .isEmpty();
    }

    @Test
    void whoHasAnotherClaimDoesNotWaitForThis() {
        Pod other = pod("c-1", "{restartCount: 0, state: {waiting: {reason: ContainerCreating}}}");
        assertThat(Mounting.of(claim(), List.of(other), List.of(said("p1", GONE)), NOW))
                .isEmpty();
    }

    /** What is on its way is no news. */
    @ParameterizedTest
    @CsvSource({"11:59:00, false", "11:59:30, false", "11:58:59, true"})
    void aPodGetsSomeTimeFirst(String made, boolean told) {
        Pod pod = waiting();
        pod.getMetadata().setCreationTimestamp("2026-01-01T%sZ".formatted(made));
        assertThat(Mounting.of(claim(), List.of(pod), List.of(said("p1", GONE)), NOW)
                        .isPresent())
                .isEqualTo(told);
    }

    @Test
    void whoseSandboxIsMadeHasItsVolumes() {
        Pod pod = waiting();
        pod.getStatus()
                .setConditions(List.of(new PodConditionBuilder()
                        .withType("PodReadyToStartContainers")
                        .withStatus("True")
                        .build()));
        assertThat(Mounting.of(claim(), List.of(pod), List.of(said("p1", GONE)), NOW))
                .isEmpty();
    }

    /** Events are kept for an hour, and a disk may have come meanwhile. */
    @ParameterizedTest
    @CsvSource({"11:55:01, true", "11:55:00, false", "11:10:00, false"})
    void whatWasSaidLongAgoMayBeOver(String said, boolean told) {
        Event event = said("p1", GONE);
        event.setLastTimestamp("2026-01-01T%sZ".formatted(said));
        assertThat(Mounting.of(claim(), List.of(waiting()), List.of(event), NOW).isPresent())
                .isEqualTo(told);
    }

    @Test
    void theLastWordCounts() {
        Event later = said("p1", GONE.replace("does not exist", "is a file"));
        later.setLastTimestamp("2026-01-01T11:59:59Z");
        assertThat(Mounting.of(claim(), List.of(waiting()), List.of(later, said("p1", GONE)), NOW)
                        .orElseThrow()
                        .problem()
                        .message())
                .contains("is a file");
    }

    private static PersistentVolumeClaim claim() {
        return Serialization.unmarshal("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: c-0}
                spec: {volumeName: pvc-1}
                status: {phase: Bound}
                """, PersistentVolumeClaim.class);
    }

    private static Pod waiting() {
        return pod("c-0", "{restartCount: 0, state: {waiting: {reason: ContainerCreating}}}");
    }

    private static Pod pod(String claim, String container) {
        return Serialization.unmarshal("""
                apiVersion: v1
                kind: Pod
                metadata: {name: c-0-abcde, uid: p1, creationTimestamp: "2026-01-01T11:00:00Z"}
                spec: {volumes: [{name: data, persistentVolumeClaim: {claimName: %s}}]}
                status: {containerStatuses: [%s]}
                """.formatted(claim, container), Pod.class);
    }

    private static Event said(String pod, String words) {
        Event event = Serialization.unmarshal("""
                apiVersion: v1
                kind: Event
                metadata: {name: e}
                involvedObject: {kind: Pod, uid: %s}
                lastTimestamp: "2026-01-01T11:59:00Z"
                """.formatted(pod), Event.class);
        event.setMessage(words);
        return event;
    }
}
