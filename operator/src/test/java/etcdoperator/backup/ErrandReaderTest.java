package etcdoperator.backup;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.agentreport.ExitCodes;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ErrandReaderTest {
    private static final Instant SINCE = Instant.parse("2026-11-15T10:00:00Z");
    private static final Instant FAILED_AT = Instant.parse("2026-11-15T10:05:00Z");
    private static final String RUNS = "";
    private static final String COMPLETE = "conditions: [{type: Complete, status: 'True'}]";
    private static final String FAILED =
            "conditions: [{type: Failed, status: 'True', reason: PodFailurePolicy, lastTransitionTime: '2026-11-15T10:05:00Z'}]";
    private static final String TOO_LATE =
            "conditions: [{type: Failed, status: 'True', reason: DeadlineExceeded, lastTransitionTime: '2026-11-15T10:05:00Z'}]";

    static Stream<Arguments> endings() {
        return Stream.of(
                Arguments.of("no pod yet", RUNS, "phase: Gone", new Errand.Awaited(SINCE, Optional.empty())),
                Arguments.of(
                        "at work",
                        RUNS,
                        "{phase: Running, podIP: 10.0.0.9}",
                        new Errand.AtWork(SINCE, Optional.of("10.0.0.9"), Optional.empty())),
                Arguments.of(
                        "a claim is not there",
                        RUNS,
                        "{phase: Pending, conditions: [{type: PodScheduled, status: 'False', message: 'persistentvolumeclaim \"backups\" not found'}]}",
                        new Errand.Awaited(
                                SINCE,
                                Optional.of(
                                        "The agent's pod finds no place: persistentvolumeclaim \"backups\" not found"))),
                Arguments.of(
                        "an image is not there",
                        RUNS,
                        "{phase: Pending, containerStatuses: [{name: backup, state: {waiting: {reason: ErrImagePull, message: no such image}}}]}",
                        new Errand.Awaited(
                                SINCE, Optional.of("The agent's pod cannot start: ErrImagePull: no such image"))),
                Arguments.of(
                        "an attempt failed, and Kubernetes makes another one",
                        RUNS,
                        ended(
                                "Failed",
                                1,
                                "{\\\"state\\\":\\\"Failed\\\",\\\"message\\\":\\\"The store does not answer\\\"}"),
                        new Errand.Awaited(
                                SINCE, Optional.of("An attempt failed and is made again: The store does not answer"))),
                Arguments.of(
                        "done, and nobody knows what", COMPLETE, ended("Succeeded", 0, ""), new Errand.Mute(SINCE)),
                Arguments.of(
                        "failed, with its own words",
                        FAILED,
                        ended("Failed", 2, "{\\\"state\\\":\\\"Failed\\\",\\\"message\\\":\\\"Access is denied\\\"}"),
                        new Errand.Failed(SINCE, FAILED_AT, "Access is denied", false)),
                Arguments.of(
                        "unheard",
                        FAILED,
                        ended(
                                "Failed",
                                ExitCodes.UNANSWERED,
                                "{\\\"state\\\":\\\"Failed\\\",\\\"message\\\":\\\"No member answers\\\"}"),
                        new Errand.Failed(SINCE, FAILED_AT, "No member answers", true)),
                Arguments.of(
                        "killed, with the end of a log",
                        FAILED,
                        ended("Failed", 137, "Exception in thread"),
                        new Errand.Failed(
                                SINCE,
                                FAILED_AT,
                                "The agent's pods ended without a word (Error, exit code 137); see kubectl logs job/b-backup",
                                false)),
                Arguments.of(
                        "evicted, and gone",
                        FAILED,
                        "phase: Gone",
                        new Errand.Failed(
                                SINCE,
                                FAILED_AT,
                                "The agent's pods ended without a word: they were deleted or their node is gone; see kubectl logs job/b-backup",
                                false)),
                Arguments.of(
                        "too slow",
                        TOO_LATE,
                        "phase: Gone",
                        new Errand.Failed(
                                SINCE,
                                FAILED_AT,
                                "The agent took longer than spec.activeDeadline allows, or than half an hour where a member stands still for it; give it more time, or see what holds it up",
                                false)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("endings")
    void isReadFromJobAndPod(String why, String job, String pod, Errand expected) {
        List<Pod> pods = pod.equals("phase: Gone") ? List.of() : List.of(pod(pod));
        assertThat(ErrandReader.read("b-backup", List.of(job(job)), pods, Optional.empty()))
                .isEqualTo(expected);
    }

    /** The Job hears of its pod's end a second or two later, and no attempt has failed meanwhile. */
    @Test
    void thePodKnowsFirst() {
        String pod = ended("Running", 0, "{\\\"state\\\":\\\"Completed\\\",\\\"message\\\":\\\"verified\\\"}");
        assertThat(ErrandReader.read("b-backup", List.of(job(RUNS)), List.of(pod(pod)), Optional.empty()))
                .isInstanceOf(Errand.Done.class);
    }

    /** The node of the first pod was lost before its Job heard that the pod had done its work. */
    @Test
    void aSecondPodThatFailsDoesNotHideWhatTheFirstHasStored() {
        Pod first = pod(ended("Failed", 0, "{\\\"state\\\":\\\"Completed\\\",\\\"message\\\":\\\"verified\\\"}"));
        Pod second = pod(ended("Failed", 1, "{\\\"state\\\":\\\"Failed\\\",\\\"message\\\":\\\"No member answers\\\"}"));
        second.getMetadata().setName("b-backup-y");
        second.getMetadata().setCreationTimestamp("2026-11-15T10:00:09Z");
        assertThat(ErrandReader.read("b-backup", List.of(job(RUNS)), List.of(first, second), Optional.empty()))
                .isInstanceOfSatisfying(
                        Errand.Done.class,
                        done -> assertThat(done.report().message()).isEqualTo("verified"));
    }

    @Test
    void withoutAJobNobodyWasSent() {
        assertThat(ErrandReader.read("b-delete", List.of(job(RUNS)), List.of(), Optional.empty()))
                .isEqualTo(new Errand.NotSent());
    }

    private static String ended(String phase, int code, String words) {
        return "{phase: %s, containerStatuses: [{name: backup, state: {terminated: {reason: Error, exitCode: %d, message: \"%s\"}}}]}"
                .formatted(phase, code, words);
    }

    private static Job job(String status) {
        return Serialization.unmarshal("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: b-backup, uid: u, creationTimestamp: "2026-11-15T10:00:00Z"}
                status: {%s}
                """.formatted(status), Job.class);
    }

    private static Pod pod(String status) {
        return Serialization.unmarshal("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: b-backup-x
                  creationTimestamp: "2026-11-15T10:00:01Z"
                  ownerReferences: [{uid: u, kind: Job, name: b-backup, apiVersion: batch/v1}]
                status: %s
                """.formatted(status), Pod.class);
    }
}
