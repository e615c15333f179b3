package etcdoperator.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.backup.BackupDestination;
import etcdoperator.api.backup.BucketLocation;
import etcdoperator.api.backup.BucketLocation.AwsCredentials;
import etcdoperator.api.backup.BucketLocation.AzureCredentials;
import etcdoperator.api.backup.BucketLocation.Credentials;
import etcdoperator.api.backup.BucketLocation.GoogleCloudCredentials;
import etcdoperator.api.backup.EtcdBackupSpec.Encryption;
import etcdoperator.api.backup.VolumeLocation;
import etcdoperator.domain.AllowedEndpoints;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgentJobTest {
    private static final AllowedEndpoints ANYWHERE = AnyAgents.of("").endpoints();

    @Test
    void aJobIsRestrictedAndKnowsWhenToGiveUp() {
        Job job = job(AgentJob.Settings.USUAL).running("backup", AgentKit.ofFlags("--folder=/backups"));
        var pod = job.getSpec().getTemplate().getSpec();

        assertThat(pod.getAutomountServiceAccountToken()).isFalse();
        assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(pod.getContainers()).singleElement().satisfies(agent -> {
            assertThat(agent.getArgs()).containsExactly("backup", "--folder=/backups");
            assertThat(agent.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
            assertThat(agent.getResources().getLimits().get("memory")).hasToString("192Mi");
        });
        assertThat(job.getSpec().getBackoffLimit()).isEqualTo(3);
        assertThat(job.getSpec().getPodFailurePolicy().getRules())
                .extracting(rule -> rule.getAction())
                .containsExactly("FailJob", "Ignore");
        assertThat(job.getSpec()
                        .getPodFailurePolicy()
                        .getRules()
                        .getFirst()
                        .getOnExitCodes()
                        .getValues())
                .as("none that Java, or etcdutl in the same pod, ends with when it is told to stop")
                .isNotEmpty()
                .doesNotContain(1, 2, 3, 143);
        assertThat(job.getMetadata().getLabels())
                .containsEntry("etcd.improbable.io/backup", "b")
                .doesNotContainKey(Labels.CLUSTER);
        assertThat(job.getMetadata().getOwnerReferences()).hasSize(1);
    }

    @Test
    void usersMayGiveItAnIdentityAndADeadline() {
        Job job = job(new AgentJob.Settings(
                        Optional.of("backups"), Optional.empty(), Optional.of(Duration.ofMinutes(90))))
                .running("backup", AgentKit.EMPTY);
        assertThat(job.getSpec().getActiveDeadlineSeconds()).isEqualTo(5400);
        assertThat(job.getSpec().getTemplate().getSpec().getServiceAccountName())
                .isEqualTo("backups");
        assertThat(job.getSpec().getTemplate().getSpec().getAutomountServiceAccountToken())
                .isTrue();
    }

    @Test
    void aStoreIsDescribedInFlagsAndItsSecretsByReference() {
        AgentKit aws = StoreKit.of(
                bucket("s3://b", new Credentials(new AwsCredentials(new LocalObjectReference("keys")), null, null)),
                ANYWHERE);
        assertThat(aws.flags())
                .containsExactly(
                        "--bucket-url=s3://b",
                        "--endpoint=http://s3:9000",
                        "--allowed-endpoints=https://*,http://*",
                        "--region=eu",
                        "--path-style=true",
                        "--credentials=aws",
                        "--credentials-dir=/etc/etcd-agent/aws");
        assertThat(filesOf(aws)).containsExactly("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN");

        AgentKit azure = StoreKit.of(
                bucket(
                        "azblob://b",
                        new Credentials(null, null, new AzureCredentials(new LocalObjectReference("keys")))),
                ANYWHERE);
        assertThat(azure.flags()).contains("--credentials=azure", "--credentials-dir=/etc/etcd-agent/azure");
        assertThat(filesOf(azure))
                .containsExactly("AZURE_STORAGE_ACCOUNT", "AZURE_STORAGE_KEY", "AZURE_STORAGE_SAS_TOKEN");

        AgentKit google = StoreKit.of(
                bucket(
                        "gs://b",
                        new Credentials(
                                null,
                                new GoogleCloudCredentials(new SecretKeySelector("gcp.json", "keys", false)),
                                null)),
                ANYWHERE);
        assertThat(google.flags())
                .contains("--credentials=google", "--google-key-file=/etc/etcd-agent/google/google.json");
        assertThat(google.volumes()).hasSize(1);

        assertThat(StoreKit.of(bucket("s3://b", null), ANYWHERE).flags()).contains("--credentials=pod");
        assertThat(StoreKit.of(new VolumeLocation("claim", null)).flags()).containsExactly("--folder=/backups");
    }

    /** The path of an object appears in status, where people read it who may not read the Secret. */
    @ParameterizedTest
    @ValueSource(strings = {"$(AWS_SECRET_ACCESS_KEY)/c.db", "$$(AWS_SECRET_ACCESS_KEY)", "a$$b/$", "$("})
    void aPathArrivesAsItIsWritten(String path) {
        Container agent = job(AgentJob.Settings.USUAL).container("backup", AgentKit.ofFlags("--path=" + path));
        assertThat(KubeletExpansion.of(agent, Map.of("AWS_SECRET_ACCESS_KEY", "secret")))
                .containsExactly("backup", "--path=" + path);
    }

    /** A variable of the environment appears in more places than a file. */
    @Test
    void noSecretIsInTheEnvironment() {
        AgentKit aws = StoreKit.of(
                bucket("s3://b", new Credentials(new AwsCredentials(new LocalObjectReference("keys")), null, null)),
                ANYWHERE);
        Container agent = job(AgentJob.Settings.USUAL).container("backup", aws);
        assertThat(agent.getEnv())
                .allSatisfy(variable -> assertThat(variable.getValueFrom()).isNull());
        assertThat(agent.getVolumeMounts()).singleElement().matches(VolumeMount::getReadOnly);
    }

    private static List<String> filesOf(AgentKit kit) {
        assertThat(kit.volumes())
                .singleElement()
                .satisfies(
                        volume -> assertThat(volume.getSecret().getSecretName()).isEqualTo("keys"));
        return kit.volumes().getFirst().getSecret().getItems().stream()
                .map(KeyToPath::getPath)
                .toList();
    }

    @Test
    void azuresWebhookIsAskedForAnIdentityWhereOneIsNeeded() {
        assertThat(labelsAt(bucket("azblob://b", null))).containsEntry("azure.workload.identity/use", "true");
        assertThat(labelsAt(bucket("s3://b", null))).doesNotContainKey("azure.workload.identity/use");
        assertThat(labelsAt(bucket(
                        "azblob://b",
                        new Credentials(null, null, new AzureCredentials(new LocalObjectReference("keys"))))))
                .doesNotContainKey("azure.workload.identity/use");
    }

    private static Map<String, String> labelsAt(BucketLocation bucket) {
        return job(AgentJob.Settings.USUAL)
                .loggingInAt(new BackupDestination(bucket, null))
                .running("backup", AgentKit.EMPTY)
                .getSpec()
                .getTemplate()
                .getMetadata()
                .getLabels();
    }

    @Test
    void theSecretsThatAreNeededAreNamed() {
        var place = new BackupDestination(
                bucket("s3://b", new Credentials(new AwsCredentials(new LocalObjectReference("keys")), null, null)),
                null);
        assertThat(StoreKit.secrets(place, new Encryption(new SecretKeySelector("key", "encryption", null))))
                .containsExactly("encryption", "keys");
    }

    /** A restore downloads, has etcd's own tool restore, and puts it in place. */
    @Test
    void severalContainersTakeTurns() {
        AgentJob job = job(AgentJob.Settings.USUAL);
        Job restore = job.running(
                List.of(job.container("fetch", AgentKit.EMPTY)), job.container("finish", AgentKit.EMPTY), List.of());
        assertThat(restore.getSpec().getTemplate().getSpec().getInitContainers())
                .extracting(container -> container.getName())
                .containsExactly("fetch");
    }

    private static AgentJob job(AgentJob.Settings settings) {
        return new AgentJob(Given.cluster(), "b-backup", "operator:1", Labels.ofAgent(Labels.BACKUP, "b"), settings);
    }

    private static BucketLocation bucket(String url, Credentials credentials) {
        return credentials == null
                ? new BucketLocation(url, null, null, null, null, null)
                : new BucketLocation(url, null, "http://s3:9000", "eu", true, credentials);
    }
}
