package etcdoperator.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;

class DrillJobsTest {
    private static final EtcdCluster CLUSTER = Serialization.unmarshal("""
            apiVersion: etcd.improbable.io/v1alpha1
            kind: EtcdCluster
            metadata: {name: c, namespace: ns}
            spec:
              replicas: 3
              version: 3.7.3
              image: {repository: registry.example/etcd}
              storage: {volumeClaimTemplate: {}}
              auth: {enabled: true}
              podTemplate:
                imagePullSecrets: [{name: registry}]
                resources: {requests: {memory: 1Gi}}
            """, EtcdCluster.class);

    @Test
    void theBackupIsFetchedRestoredRunAndCompared() {
        PodSpec pod = pod(job(backup("3.6.16", ", hashKV: 3000000000, keys: 5, compactRevision: 3"), "{}"));
        assertThat(pod.getInitContainers()).extracting(Container::getName).containsExactly("fetch", "etcdutl", "etcd");
        assertThat(pod.getInitContainers().get(0).getArgs())
                .startsWith("fetch")
                .contains("--bucket-url=s3://b", "--path=a/one.db", "--sha256=abc", "--to=/var/lib/etcd");
        assertThat(pod.getContainers().getFirst().getArgs())
                .containsExactly(
                        "drill",
                        "--url=http://127.0.0.1:2379",
                        "--revision=7",
                        "--hash-kv=3000000000",
                        "--compact-revision=3",
                        "--keys=5");
    }

    /** A leap of revisions, or a mark of compaction, would change what is hashed. */
    @Test
    void itIsRestoredAsItIs() {
        Container etcdutl =
                pod(job(backup("3.6.16", ""), "{}")).getInitContainers().get(1);
        assertThat(etcdutl.getImage()).isEqualTo("quay.io/coreos/etcd:v3.6.16");
        assertThat(etcdutl.getArgs())
                .containsExactly(
                        "snapshot",
                        "restore",
                        "/var/lib/etcd/restore/snapshot.db",
                        "--data-dir=/var/lib/etcd/restore/data",
                        "--name=throw-away",
                        "--initial-cluster=throw-away=http://127.0.0.1:2380",
                        "--initial-advertise-peer-urls=http://127.0.0.1:2380");
    }

    @Test
    void theEtcdIsOfTheVersionThatWasBackedUpAndNobodyElseReachesIt() {
        Container etcd =
                pod(job(backup("3.4.23", ""), "{}")).getInitContainers().get(2);
        assertThat(etcd.getImage()).isEqualTo("quay.io/coreos/etcd:v3.4.23");
        assertThat(etcd.getRestartPolicy()).isEqualTo("Always");
        assertThat(etcd.getArgs())
                .contains("--data-dir=/var/lib/etcd/restore/data", "--listen-client-urls=http://127.0.0.1:2379");
        assertThat(pod(job(backup("3.4.23", ""), "{}"))
                        .getInitContainers()
                        .get(1)
                        .getImage())
                .isEqualTo("quay.io/coreos/etcd:v3.5.35");
    }

    @Test
    void itHasTheImageTheRoomAndThePasswordOfItsCluster() {
        Job job = job(backup("3.6.16", ""), "{}", CLUSTER);
        PodSpec pod = pod(job);
        assertThat(pod.getInitContainers().get(2).getImage()).isEqualTo("registry.example/etcd:v3.6.16");
        assertThat(pod.getInitContainers().get(2).getResources().getRequests())
                .containsEntry("memory", new Quantity("1Gi"));
        assertThat(pod.getImagePullSecrets()).hasSize(1);
        assertThat(pod.getContainers().getFirst().getArgs()).anyMatch(flag -> flag.startsWith("--root-dir="));
        assertThat(pod.getVolumes())
                .extracting(Volume::getName)
                .containsAll(pod.getContainers().getFirst().getVolumeMounts().stream()
                        .map(mount -> mount.getName())
                        .toList());
    }

    @Test
    void whatUsersSayOfItCounts() {
        Job job = job(
                backup("3.6.16", ""),
                "{schedule: '@weekly', storage: 5Gi, activeDeadline: 10m, resources: {limits: {memory: 2Gi}}}",
                CLUSTER);
        assertThat(job.getSpec().getActiveDeadlineSeconds()).isEqualTo(600);
        assertThat(pod(job).getInitContainers().get(2).getResources().getLimits())
                .containsEntry("memory", new Quantity("2Gi"));
        assertThat(pod(job).getVolumes())
                .filteredOn(volume -> volume.getEmptyDir() != null)
                .singleElement()
                .satisfies(volume ->
                        assertThat(volume.getEmptyDir().getSizeLimit()).isEqualTo(new Quantity("5Gi")));
    }

    /** A pod with a cluster's name would be taken for a member of it, and one with a backup's for its agent. */
    @Test
    void itBelongsToItsScheduleAlone() {
        Job job = job(backup("3.6.16", ""), "{}", CLUSTER);
        assertThat(job.getMetadata().getLabels())
                .containsEntry(Labels.DRILL, "s")
                .doesNotContainKeys(Labels.CLUSTER, Labels.BACKUP);
        assertThat(job.getMetadata().getOwnerReferences())
                .singleElement()
                .satisfies(owner -> assertThat(owner.getKind()).isEqualTo("EtcdBackupSchedule"));
        assertThat(DrillJobs.drilled(job)).isEqualTo("one");
    }

    @Test
    void whatIsNotRecordedStandsInTheWay() {
        assertThat(DrillJobs.obstacle(backup("3.6.16", ""), AnyAgents.of("").endpoints()))
                .isEmpty();
        assertThat(DrillJobs.obstacle(backup("unknown", ""), AnyAgents.of("").endpoints()))
                .isPresent();
    }

    private static Job job(EtcdBackup backup, String drill, EtcdCluster... clusters) {
        EtcdBackupSchedule schedule = Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackupSchedule
                metadata: {name: s, namespace: ns, uid: u1}
                spec: {schedule: "@daily", drill: %s}
                """.formatted(drill), EtcdBackupSchedule.class);
        return new DrillJobs(schedule, AnyAgents.of("agent:1")).of("s-drill-1", backup, List.of(clusters));
    }

    private static EtcdBackup backup(String version, String more) {
        return Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackup
                metadata: {name: one, namespace: ns}
                spec: {source: {cluster: c}, destination: {bucket: {bucketURL: "s3://b", objectPath: "{time}"}}}
                status: {phase: Completed, path: a/one.db, revision: 7, sha256: abc, etcdVersion: "%s"%s}
                """.formatted(version, more), EtcdBackup.class);
    }

    private static PodSpec pod(Job job) {
        return job.getSpec().getTemplate().getSpec();
    }
}
