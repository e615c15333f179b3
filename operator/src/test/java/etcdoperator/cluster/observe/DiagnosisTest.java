package etcdoperator.cluster.observe;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Problem.Kind;
import etcdoperator.cluster.view.Start;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The statuses are as a real Kubernetes writes them. */
class DiagnosisTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:13Z");

    @Test
    void aRunningPodHasNoProblem() {
        Pod pod = pod("""
                phase: Running
                conditions: [{type: PodScheduled, status: "True"}, {type: Ready, status: "True"}]
                containerStatuses: [{name: etcd, ready: true, restartCount: 0, state: {running: {}}}]
                """);
        assertThat(Diagnosis.ofPod(pod, Start.ON_DATA, NOW)).isEmpty();
        assertThat(Diagnosis.isReady(pod)).isTrue();
    }

    @Test
    void aPodThatIsBeingCreatedHasNoProblem() {
        Pod pod = pod("""
                phase: Pending
                conditions: [{type: PodScheduled, status: "True"}, {type: Ready, status: "False"}]
                containerStatuses: [{name: etcd, ready: false, restartCount: 0, state: {waiting: {reason: ContainerCreating}}}]
                """);
        assertThat(Diagnosis.ofPod(pod, Start.ON_DATA, NOW)).isEmpty();
        assertThat(Diagnosis.isReady(pod)).isFalse();
    }

    /** Kubernetes sorts statuses by the containers' names, and what is injected may come first. */
    @Test
    void whatRunsBesideEtcdIsNoneOfItsTroubles() {
        Pod pod = waiting("ImagePullBackOff");
        var etcd = pod.getStatus().getContainerStatuses().getFirst();
        var sidecar = Serialization.clone(etcd);
        sidecar.setName("a-sidecar");
        sidecar.setState(null);
        pod.getStatus().setContainerStatuses(List.of(sidecar, etcd));
        assertThat(Diagnosis.ofPod(pod, Start.ON_DATA, NOW).map(Problem::kind)).contains(Kind.ImageUnavailable);
        sidecar.setState(etcd.getState());
        etcd.setState(null);
        assertThat(Diagnosis.ofPod(pod, Start.ON_DATA, NOW)).isEmpty();
    }

    @Test
    void aBrandNewPodHasNoStatusToSpeakOf() {
        assertThat(Diagnosis.ofPod(pod("phase: Pending"), Start.ON_DATA, NOW)).isEmpty();
    }

    @Test
    void aContainerOfWhichNothingIsSaidHasNoProblem() {
        assertThat(Diagnosis.ofPod(
                        pod("containerStatuses: [{name: etcd, ready: false, restartCount: 0}]"), Start.ON_DATA, NOW))
                .isEmpty();
        assertThat(Diagnosis.ofPod(
                        pod("containerStatuses: [{name: etcd, ready: false, restartCount: 0, state: {waiting: {}}}]"),
                        Start.ON_DATA,
                        NOW))
                .isEmpty();
    }

    @Test
    void whatTheSchedulerSaysIsPassedOn() {
        Pod pod = pod("""
                phase: Pending
                conditions:
                - type: PodScheduled
                  status: "False"
                  reason: Unschedulable
                  message: "0/3 nodes are available: 3 Insufficient cpu."
                """);
        assertThat(Diagnosis.ofPod(pod, Start.ON_DATA, NOW))
                .contains(new Problem(
                        Kind.PodUnschedulable,
                        "No node takes pod c-0-abcde: 0/3 nodes are available: 3 Insufficient cpu."));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ErrImagePull",
                "ImagePullBackOff",
                "InvalidImageName",
                "ErrImageNeverPull",
                "RegistryUnavailable"
            })
    void anImageThatCannotBeHadIsNamed(String reason) {
        assertThat(Diagnosis.ofPod(waiting(reason), Start.ON_DATA, NOW)).hasValueSatisfying(problem -> {
            assertThat(problem.kind()).isEqualTo(Kind.ImageUnavailable);
            assertThat(problem.message()).contains("c-0-abcde", "quay.io/coreos/etcd:v3.6.99");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"CreateContainerConfigError", "CreateContainerError", "RunContainerError"})
    void whyAContainerCannotBeStartedIsPassedOn(String reason) {
        assertThat(Diagnosis.ofPod(waiting(reason), Start.ON_DATA, NOW)).hasValueSatisfying(problem -> {
            assertThat(problem.kind()).isEqualTo(Kind.ContainerRefused);
            assertThat(problem.message())
                    .endsWith("cannot be started: container has runAsNonRoot and image will run as root");
        });
    }

    @Test
    void aCrashLoopIsToldInEtcdsOwnWords() {
        Pod pod =
                crashed(3, "{waiting: {reason: CrashLoopBackOff, message: back-off 40s restarting failed container}}");
        assertThat(Diagnosis.ofPod(pod, Start.ON_DATA, NOW))
                .contains(
                        new Problem(
                                Kind.EtcdCrashing,
                                "etcd in pod c-0-abcde keeps exiting with code 1: discovery failed: listen tcp 10.0.0.1:2380: bind: cannot assign requested address"));
    }

    @Test
    void betweenTwoCrashesItIsTheSameProblem() {
        assertThat(Diagnosis.ofPod(crashed(3, "{running: {}}"), Start.ON_DATA, NOW))
                .isPresent()
                .isEqualTo(Diagnosis.ofPod(crashed(4, "{waiting: {reason: CrashLoopBackOff}}"), Start.ON_DATA, NOW));
    }

    @Test
    void oneRestartIsNoLoop() {
        assertThat(Diagnosis.ofPod(crashed(1, "{running: {}}"), Start.ON_DATA, NOW))
                .isEmpty();
    }

    /** Nodes are restarted, too, and restarts are counted over a pod's whole life. */
    @Test
    void aMemberThatRanForLongAndStartsAnewDoesNotCrash() {
        Pod pod = crashed(7, "{running: {}}");
        var last =
                pod.getStatus().getContainerStatuses().getFirst().getLastState().getTerminated();
        last.setStartedAt("2025-10-01T12:00:00Z");
        assertThat(Diagnosis.ofPod(pod, Start.ON_DATA, NOW)).isEmpty();
        last.setStartedAt(null);
        assertThat(Diagnosis.ofPod(pod, Start.ON_DATA, NOW)).isEmpty();
        last.setStartedAt("2026-01-01T12:00:00Z");
        last.setFinishedAt(null);
        assertThat(Diagnosis.ofPod(pod, Start.ON_DATA, NOW)).isEmpty();
    }

    @Test
    void aMemberThatIsHeldBackCrashesHoweverLongItRan() {
        Pod pod = crashed(7, "{waiting: {reason: CrashLoopBackOff}}");
        pod.getStatus()
                .getContainerStatuses()
                .getFirst()
                .getLastState()
                .getTerminated()
                .setStartedAt(null);
        assertThat(Diagnosis.ofPod(pod, Start.ON_DATA, NOW)).isPresent();
    }

    @Test
    void onceReadyPastCrashesAreForgotten() {
        Pod pod = crashed(5, "{running: {}}");
        pod.getStatus().getContainerStatuses().getFirst().setReady(true);
        assertThat(Diagnosis.ofPod(pod, Start.ON_DATA, NOW)).isEmpty();
    }

    @Test
    void aPodThatMayNotBeMadeIsToldInTheApiServersWords() {
        assertThat(Diagnosis.ofReplicaSet(replicaSet("""
                status:
                  replicas: 0
                  conditions:
                  - type: ReplicaFailure
                    status: "True"
                    reason: FailedCreate
                    message: 'pods "c-0-x" is forbidden: exceeded quota: few, requested: pods=1, used: pods=2, limited: pods=2'
                """))).hasValueSatisfying(problem -> {
            assertThat(problem.kind()).isEqualTo(Kind.PodRefused);
            assertThat(problem.message())
                    .startsWith("The pod of c-0 is refused: ")
                    .contains("exceeded quota");
        });
    }

    @Test
    void aReplicaSetWithoutTroubleHasNoProblem() {
        assertThat(Diagnosis.ofReplicaSet(replicaSet(""))).isEmpty();
        assertThat(Diagnosis.ofReplicaSet(replicaSet("status: {replicas: 1}"))).isEmpty();
        assertThat(Diagnosis.ofReplicaSet(
                        replicaSet("status: {replicas: 1, conditions: [{type: ReplicaFailure, status: 'False'}]}")))
                .isEmpty();
        assertThat(Diagnosis.ofReplicaSet(
                        replicaSet("status: {replicas: 1, conditions: [{type: Other, status: 'True'}]}")))
                .isEmpty();
    }

    @Test
    void aClaimThatWaitsForItsFirstPodIsWell() {
        assertThat(Diagnosis.ofClaim(claim("Pending"), List.of())).isEmpty();
        assertThat(Diagnosis.ofClaim(claim(null), List.of())).isEmpty();
    }

    @Test
    void theLatestComplaintOfTheProvisionerIsTold() {
        List<Event> warnings = List.of(
                warning("claim-uid", "9", "storageclass.storage.k8s.io \"old\" not found"),
                warning("claim-uid", "10", "storageclass.storage.k8s.io \"fast\" not found"),
                warning("another-uid", "11", "something else"));
        assertThat(Diagnosis.ofClaim(claim("Pending"), warnings))
                .contains(new Problem(
                        Kind.VolumeUnavailable,
                        "Claim c-0 gets no volume: storageclass.storage.k8s.io \"fast\" not found"));
    }

    @Test
    void whatWasComplainedOfBeforeItWasBoundIsOver() {
        assertThat(Diagnosis.ofClaim(claim("Bound"), List.of(warning("claim-uid", "9", "not found"))))
                .isEmpty();
    }

    @Test
    void aLostVolumeIsAProblem() {
        assertThat(Diagnosis.ofClaim(claim("Lost"), List.of()))
                .contains(new Problem(Kind.VolumeLost, "The volume of claim c-0 is lost"));
    }

    private static Pod waiting(String reason) {
        return pod("""
                phase: Pending
                containerStatuses:
                - name: etcd
                  image: quay.io/coreos/etcd:v3.6.99
                  ready: false
                  restartCount: 0
                  state: {waiting: {reason: %s, message: container has runAsNonRoot and image will run as root}}
                """.formatted(reason));
    }

    private static Pod crashed(int restarts, String state) {
        return pod("""
                phase: Running
                containerStatuses:
                - name: etcd
                  ready: false
                  restartCount: %d
                  state: %s
                  lastState:
                    terminated:
                      exitCode: 1
                      reason: Error
                      startedAt: "2026-01-01T12:00:00Z"
                      finishedAt: "2026-01-01T12:00:02Z"
                      message: |
                        {"level":"info","ts":"2026-01-01T12:00:00.1Z","msg":"closing etcd server"}
                        {"level":"fatal","ts":"2026-01-01T12:00:00.2Z","caller":"etcdmain/etcd.go:204","msg":"discovery failed","error":"listen tcp 10.0.0.1:2380: bind: cannot assign requested address","stacktrace":"main.main"}
                """.formatted(restarts, state));
    }

    private static Pod pod(String status) {
        return Serialization.unmarshal(
                "apiVersion: v1\nkind: Pod\nmetadata: {name: c-0-abcde}\nstatus:\n" + status.indent(2), Pod.class);
    }

    private static ReplicaSet replicaSet(String status) {
        return Serialization.unmarshal(
                "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: c-0}\n" + status, ReplicaSet.class);
    }

    private static PersistentVolumeClaim claim(String phase) {
        String status = phase == null ? "" : "status: {phase: " + phase + "}";
        return Serialization.unmarshal(
                "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: c-0, uid: claim-uid}\n" + status,
                PersistentVolumeClaim.class);
    }

    private static Event warning(String uid, String version, String message) {
        return Serialization.unmarshal("""
                apiVersion: v1
                kind: Event
                metadata: {name: e, resourceVersion: "%s"}
                type: Warning
                reason: ProvisioningFailed
                involvedObject: {kind: PersistentVolumeClaim, name: c-0, uid: %s}
                message: '%s'
                """.formatted(version, uid, message), Event.class);
    }
}
