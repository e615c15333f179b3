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
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RestoreInTwoJobsTest {
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
            """, EtcdClusterSpec.class);

    @Test
    void whereAPodMayHaveAnIdentityTheBackupIsFetchedByAJobOfItsOwn() {
        assertThat(RestoreJobs.fetchesApart(chosen("{bucket: {bucketURL: 's3://b'}}", "null")))
                .as("that of its pod")
                .isTrue();
        assertThat(RestoreJobs.fetchesApart(chosen(
                        "{bucket: {bucketURL: 's3://b', credentials: {aws: {secretRef: {name: s}}}}}", "backups")))
                .as("an account may have one that nobody needs")
                .isTrue();
        assertThat(RestoreJobs.fetchesApart(
                        chosen("{bucket: {bucketURL: 's3://b', credentials: {aws: {secretRef: {name: s}}}}}", "null")))
                .isFalse();
        assertThat(RestoreJobs.fetchesApart(chosen("{volume: {claimName: v}}", "backups")))
                .as("nobody logs in to a volume")
                .isFalse();
        assertThat(RestoreJobs.fetchesApart(chosen("null", "null")))
                .as("a survivor's disk")
                .isFalse();
    }

    @Test
    void oneJobFetchesAndTheNextRestores() {
        var jobs = new RestoreJobs(
                RESTORE, chosen("{bucket: {bucketURL: 'azblob://b'}}", "backups"), AnyAgents.of("agent:1"));
        Job fetch = jobs.fetch(content(), SPEC);
        assertThat(fetch.getMetadata().getName()).isEqualTo("back-fetch");
        assertThat(pod(fetch).getServiceAccountName()).isEqualTo("backups");
        assertThat(pod(fetch).getInitContainers()).isEmpty();
        assertThat(pod(fetch).getContainers().getFirst().getArgs())
                .startsWith("fetch")
                .contains("--to=/var/lib/etcd", "--uid=r1", "--sha256=abc");
        assertThat(pod(fetch).getNodeSelector()).containsEntry("disk", "fast");
        assertThat(pod(fetch).getSecurityContext().getRunAsUser()).isEqualTo(1000);

        Job restore = jobs.restoreFetched(content(), SPEC);
        PodSpec pod = pod(restore);
        assertThat(restore.getMetadata().getName()).isEqualTo("back-restore");
        assertThat(pod.getInitContainers()).extracting(Container::getName).containsExactly("prepare", "etcdutl");
        assertThat(pod.getInitContainers().getFirst().getArgs())
                .containsExactly("prepare", "--to=/var/lib/etcd", "--uid=r1");
        assertThat(pod.getContainers().getFirst().getArgs())
                .containsExactly("finish", "--to=/var/lib/etcd", "--uid=r1");
        assertThat(pod.getVolumes()).as("no credentials").hasSize(1);
        assertThat(pod.getNodeSelector()).containsEntry("disk", "fast");
        assertThat(restore.getSpec().getTemplate().getMetadata().getLabels())
                .as("Azure's webhook")
                .doesNotContainKey("azure.workload.identity/use");
        assertThat(restore.getSpec().getTemplate().getMetadata().getAnnotations())
                .as("Amazon's webhooks")
                .containsEntry("eks.amazonaws.com/skip-containers", "etcdutl");
    }

    /** An account may have an identity at a cloud provider, which webhooks and metadata servers give to the whole pod. */
    @Test
    void aPodWithAnAccountRunsNoImageButOurs() {
        var jobs =
                new RestoreJobs(RESTORE, chosen("{bucket: {bucketURL: 's3://b'}}", "backups"), AnyAgents.of("agent:1"));
        var key = new ClusterKey("ns", "c");
        for (Job job : List.of(
                jobs.inspect(),
                jobs.fetch(content(), SPEC),
                jobs.fill(content(), SPEC),
                jobs.restoreFetched(content(), SPEC),
                jobs.salvage(content(), SPEC, "c-3", new EtcdVersion(3, 6, 16)))) {
            boolean foreign = Stream.concat(pod(job).getInitContainers().stream(), pod(job).getContainers().stream())
                    .anyMatch(container -> !container.getImage().equals("agent:1"));
            assertThat(pod(job).getServiceAccountName()).isEqualTo(foreign ? null : "backups");
            assertThat(pod(job).getAutomountServiceAccountToken()).isEqualTo(!foreign);
        }
        assertThat(pod(jobs.survey(key, SPEC, "c-3")).getContainers()).hasSize(1);
    }

    private static RestoreJobs.Content content() {
        return new RestoreJobs.Content(new ClusterKey("ns", "c"), "c-0", new EtcdVersion(3, 6, 16), Scheme.HTTP);
    }

    private static ChosenBackup chosen(String location, String account) {
        return Serialization.unmarshal(
                "---\nlocation: %s\nserviceAccountName: %s\nsha256: abc\nclaims: [c-3]".formatted(location, account),
                ChosenBackup.class);
    }

    private static PodSpec pod(Job job) {
        return job.getSpec().getTemplate().getSpec();
    }
}
