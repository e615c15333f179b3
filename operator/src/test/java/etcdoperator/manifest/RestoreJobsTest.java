package etcdoperator.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreStatus.ChosenBackup;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.Scheme;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.SecretVolumeSource;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;

class RestoreJobsTest {
    private static final EtcdRestore RESTORE = Serialization.unmarshal("""
            apiVersion: etcd.improbable.io/v1alpha1
            kind: EtcdRestore
            metadata: {name: back, namespace: ns, uid: r1}
            """, EtcdRestore.class);

    private static final EtcdClusterSpec SPEC = Serialization.unmarshal("""
            replicas: 3
            storage: {volumeClaimTemplate: {}}
            podTemplate:
              nodeSelector: {disk: fast}
              securityContext: {runAsUser: 1000, fsGroup: 2000}
              imagePullSecrets: [{name: registry}]
            """, EtcdClusterSpec.class);

    private static final ChosenBackup CHOSEN = Serialization.unmarshal("""
            location: {bucket: {bucketURL: "s3://b", objectPath: a/one.db}}
            encryption: {keySecretRef: {name: keys, key: k}}
            sha256: abc
            """, ChosenBackup.class);

    private final RestoreJobs jobs = new RestoreJobs(RESTORE, CHOSEN, AnyAgents.of("agent:1"));

    @Test
    void theAgentLooksAtTheObjectFirst() {
        Container agent = pod(jobs.inspect()).getContainers().getFirst();
        assertThat(agent.getArgs())
                .startsWith("inspect")
                .contains("--bucket-url=s3://b", "--path=a/one.db", "--credentials=pod");
    }

    /** Of whichever backup, of whatever age: the cluster has written since the restore before. */
    @Test
    void aLaterRestoreIsAheadOfAnEarlierOne() {
        long first = 500 + leapOfRestoreAt("2026-01-01T01:00:00Z", 500);
        assertThat(first).isEqualTo(1_000_000_000L + 3600 * 10_000_000L);
        for (long revision : List.of(500L, 400L, 600L, first + 7)) {
            assertThat(revision + leapOfRestoreAt("2026-01-01T01:00:01Z", revision))
                    .isEqualTo(first + 10_000_000L);
        }
    }

    @Test
    void revisionsThatAreFurtherThanAnyRestoreLeapToo() {
        assertThat(leapOfRestoreAt("2026-01-01T01:00:00Z", 1L << 60)).isEqualTo(1_000_000_000L);
    }

    private static long leapOfRestoreAt(String time, long revision) {
        EtcdRestore restore = Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdRestore
                metadata: {name: back, namespace: ns, uid: r1, creationTimestamp: "%s"}
                status: {revision: %d}
                """.formatted(time, revision), EtcdRestore.class);
        var content = new RestoreJobs.Content(new ClusterKey("ns", "c"), "c-0", new EtcdVersion(3, 6, 16), Scheme.HTTP);
        return pod(new RestoreJobs(restore, CHOSEN, AnyAgents.of("agent:1")).fill(content, SPEC))
                .getInitContainers()
                .getLast()
                .getArgs()
                .stream()
                .filter(flag -> flag.startsWith("--bump-revision="))
                .mapToLong(flag -> Long.parseLong(flag.substring(flag.indexOf('=') + 1)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theBackupIsFetchedRestoredAndFinishedInThisOrder() {
        PodSpec pod = pod(fill(new EtcdVersion(3, 6, 16), Scheme.HTTPS));
        assertThat(pod.getInitContainers()).extracting(Container::getName).containsExactly("fetch", "etcdutl");
        assertThat(pod.getInitContainers().getFirst().getArgs())
                .startsWith("fetch")
                .contains("--path=a/one.db", "--to=/var/lib/etcd", "--uid=r1", "--sha256=abc");
        assertThat(pod.getInitContainers().getLast().getImage()).isEqualTo("quay.io/coreos/etcd:v3.6.16");
        assertThat(pod.getInitContainers().getLast().getArgs())
                .containsExactly(
                        "snapshot",
                        "restore",
                        "/var/lib/etcd/restore/snapshot.db",
                        "--data-dir=/var/lib/etcd/restore/data",
                        "--name=c-0",
                        "--initial-cluster=c-0=https://c-0.c.ns.svc:2380",
                        "--initial-cluster-token=r1",
                        "--initial-advertise-peer-urls=https://c-0.c.ns.svc:2380",
                        "--bump-revision=1000000000",
                        "--mark-compacted");
        assertThat(pod.getContainers().getFirst().getArgs())
                .containsExactly("finish", "--to=/var/lib/etcd", "--uid=r1");
    }

    @Test
    void aPrereleaseIsRestoredWithItself() {
        PodSpec pod = pod(fill(EtcdVersion.parse("3.7.0-rc.0"), Scheme.HTTP));
        assertThat(pod.getInitContainers().getLast().getImage()).isEqualTo("quay.io/coreos/etcd:v3.7.0-rc.0");
    }

    /** The survivors' disks are read, and never written to. */
    @Test
    void aSurvivorsDiskIsCopiedDoneCapturedAndRestoredInThisOrder() {
        PodSpec pod = pod(salvage("3.6.16"));
        assertThat(pod.getInitContainers())
                .extracting(Container::getName)
                .containsExactly("salvage", "etcd", "capture", "etcdutl");
        Container salvage = pod.getInitContainers().getFirst();
        assertThat(salvage.getArgs())
                .containsExactly(
                        "salvage", "--claim=c-3", "--from=/var/lib/survivor", "--to=/var/lib/etcd", "--uid=r1");
        assertThat(salvage.getVolumeMounts())
                .filteredOn(mount -> mount.getMountPath().equals("/var/lib/survivor"))
                .singleElement()
                .matches(VolumeMount::getReadOnly);
        assertThat(pod.getInitContainers().stream().skip(1))
                .allSatisfy(container -> assertThat(container.getVolumeMounts())
                        .noneMatch(mount -> mount.getName().startsWith("survivor")));
        assertThat(pod.getInitContainers().get(2).getArgs())
                .startsWith("capture")
                .contains("--endpoint=http://127.0.0.1:2379", "--root-dir=/etc/etcd-agent/login");
        assertThat(pod.getInitContainers().get(3).getArgs()).contains("--mark-compacted", "--name=c-0");
        assertThat(pod.getContainers().getFirst().getArgs())
                .containsExactly("finish", "--to=/var/lib/etcd", "--uid=r1");
    }

    /** Left in the arguments of a member, it would expel all others at the next start. */
    @Test
    void onlyAnEtcdThatNobodyReachesIsToldToGoOnAlone() {
        Container etcd = pod(salvage("3.4.23")).getInitContainers().get(1);
        assertThat(etcd.getRestartPolicy()).isEqualTo("Always");
        assertThat(etcd.getImage()).isEqualTo("quay.io/coreos/etcd:v3.4.23");
        assertThat(etcd.getArgs())
                .contains("--force-new-cluster", "--data-dir=/var/lib/etcd/restore/copy")
                .filteredOn(flag -> flag.contains("http:"))
                .hasSize(4)
                .allMatch(flag -> flag.contains("=http://127.0.0.1:"));
    }

    /** Not every cluster asks who its clients are. */
    @Test
    void theOperatorsPasswordIsTakenAlongWhereThereIsOne() {
        assertThat(pod(salvage("3.6.16")).getVolumes())
                .filteredOn(volume -> volume.getName().equals("login"))
                .singleElement()
                .satisfies(volume -> assertThat(volume.getSecret())
                        .returns("c-operator-password", SecretVolumeSource::getSecretName)
                        .returns(true, SecretVolumeSource::getOptional));
    }

    private static Job salvage(String written) {
        ChosenBackup survivors = Serialization.unmarshal("---\n{claims: [c-1, c-3]}", ChosenBackup.class);
        return new RestoreJobs(RESTORE, survivors, AnyAgents.of("agent:1"))
                .salvage(
                        new RestoreJobs.Content(
                                new ClusterKey("ns", "c"), "c-0-r1", new EtcdVersion(3, 6, 16), Scheme.HTTP),
                        SPEC,
                        "c-3",
                        EtcdVersion.parse(written));
    }

    /** In a pod of its own, because its volume may be of another node than the next one. */
    @Test
    void eachSurvivorIsLookedAtByItself() {
        ChosenBackup survivors = Serialization.unmarshal("---\n{claims: [c-1, c-3]}", ChosenBackup.class);
        Job job = new RestoreJobs(RESTORE, survivors, AnyAgents.of("agent:1"))
                .survey(new ClusterKey("ns", "c"), SPEC, "c-3");
        assertThat(job.getMetadata().getName()).isEqualTo("back-survey-1");
        assertThat(job.getSpec().getTemplate().getMetadata().getLabels()).doesNotContainKey(Labels.CLUSTER);
        Container agent = pod(job).getContainers().getFirst();
        assertThat(agent.getArgs()).containsExactly("survey", "--claim=c-3", "--from=/var/lib/survivor");
        assertThat(agent.getVolumeMounts()).singleElement().matches(VolumeMount::getReadOnly);
        assertThat(pod(job).getVolumes()).hasSize(1);
        assertThat(pod(job).getNodeSelector()).containsEntry("disk", "fast");
    }

    /** etcd must be able to read what was written, on the node where it will run. */
    @Test
    void itRunsWhereAndAsWhomThePeerWould() {
        PodSpec pod = pod(fill(new EtcdVersion(3, 6, 16), Scheme.HTTP));
        assertThat(pod.getNodeSelector()).containsEntry("disk", "fast");
        assertThat(pod.getSecurityContext().getRunAsUser()).isEqualTo(1000);
        assertThat(pod.getSecurityContext().getFsGroup()).isEqualTo(2000);
        assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(pod.getImagePullSecrets()).hasSize(1);
    }

    @Test
    void whereThereIsNoEtcdutlTheNextLineHasOne() {
        PodSpec pod = pod(fill(new EtcdVersion(3, 4, 23), Scheme.HTTP));
        assertThat(pod.getInitContainers().getLast().getImage()).isEqualTo("quay.io/coreos/etcd:v3.5.35");
    }

    /** A pod with a cluster's name would be taken for a member of it. */
    @Test
    void nothingOfItCarriesTheClustersName() {
        Job job = fill(new EtcdVersion(3, 6, 16), Scheme.HTTP);
        assertThat(job.getMetadata().getLabels())
                .doesNotContainKey(Labels.CLUSTER)
                .containsEntry(Labels.RESTORE, "back");
        assertThat(job.getSpec().getTemplate().getMetadata().getLabels()).doesNotContainKey(Labels.CLUSTER);
    }

    private Job fill(EtcdVersion version, Scheme scheme) {
        return jobs.fill(new RestoreJobs.Content(new ClusterKey("ns", "c"), "c-0", version, scheme), SPEC);
    }

    private static PodSpec pod(Job job) {
        return job.getSpec().getTemplate().getSpec();
    }
}
