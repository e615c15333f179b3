package etcdoperator.manifest;

import etcdoperator.agentreport.ExitCodes;
import etcdoperator.api.backup.BackupDestination;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicy;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Job that runs the agent: the operator's own image in another role. It goes with its owner at the latest.
 *
 * @param owner an EtcdBackup or EtcdRestore
 * @param image the operator's own
 * @param labels lead from Job and pod to the owner; none of them names a cluster, or the pod would be taken for a member
 */
public record AgentJob(HasMetadata owner, String name, String image, Map<String, String> labels, Settings settings) {
    private static final int ATTEMPTS_AFTER_THE_FIRST = 3;
    private static final long USER = 65532L;

    /** Not as the operator is started: packaging/build-image says why. */
    private static final List<String> AGENT =
            List.of("/opt/java/bin/java", "@/app/agent.options", "-jar", "/app/etcd-operator.jar");

    /** Enough for a backup of any size. */
    private static final ResourceRequirements USUAL = new ResourceRequirementsBuilder()
            .withRequests(Map.of("memory", new Quantity("192Mi"), "cpu", new Quantity("100m")))
            .withLimits(Map.of("memory", new Quantity("192Mi")))
            .build();

    /** What users can say of the pod. */
    public record Settings(
            Optional<String> serviceAccountName,
            Optional<ResourceRequirements> resources,
            Optional<Duration> activeDeadline) {
        public static final Settings USUAL = new Settings(Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** @param place where its agents log in, which their provider may want to know of the pod */
    public AgentJob loggingInAt(BackupDestination place) {
        Map<String, String> all = new TreeMap<>(labels);
        all.putAll(StoreKit.labels(place));
        return new AgentJob(owner, name, image, all, settings);
    }

    /** One container that does all of it. */
    public Job running(String subcommand, AgentKit kit) {
        return running(List.of(), container(subcommand, kit), kit.volumes());
    }

    /** @param before one after the other, and each only once the one before it is done */
    public Job running(List<Container> before, Container last, List<Volume> volumes) {
        return new JobBuilder()
                .withNewMetadata()
                .withNamespace(owner.getMetadata().getNamespace())
                .withName(name)
                .withLabels(labels)
                .withOwnerReferences(Owned.by(owner))
                .endMetadata()
                .withNewSpec()
                .withBackoffLimit(ATTEMPTS_AFTER_THE_FIRST)
                .withActiveDeadlineSeconds(
                        settings.activeDeadline().map(Duration::toSeconds).orElse(null))
                .withPodFailurePolicy(failures())
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(labels)
                .endMetadata()
                .withSpec(pod(before, last, volumes))
                .endTemplate()
                .endSpec()
                .build();
    }

    /** A container of the agent, whichever place it has in the pod. */
    public Container container(String subcommand, AgentKit kit) {
        List<String> arguments =
                Stream.concat(Stream.of(subcommand), kit.flags().stream()).toList();
        // The agent writes its last words itself; where it could not, the log says at least something.
        return RestrictedContainer.of(subcommand, image, "IfNotPresent", AGENT, arguments)
                .addNewEnv()
                // Of several, each thread would take its own, and give nothing back.
                .withName("MALLOC_ARENA_MAX")
                .withValue("1")
                .endEnv()
                .withVolumeMounts(kit.mounts())
                .withResources(settings.resources().orElse(USUAL))
                .build();
    }

    private PodSpec pod(List<Container> before, Container last, List<Volume> volumes) {
        @Nullable String account = settings.serviceAccountName().orElse(null);
        return new PodSpecBuilder()
                .withRestartPolicy("Never")
                .withServiceAccountName(account)
                // A pod's own identity at a provider is this token; who brings no account has no use for it.
                .withAutomountServiceAccountToken(account != null)
                .withEnableServiceLinks(false)
                .withInitContainers(before)
                .withContainers(last)
                .withVolumes(volumes)
                .withNewSecurityContext()
                .withRunAsNonRoot(true)
                .withRunAsUser(USER)
                .withRunAsGroup(USER)
                .withFsGroup(USER)
                .withFsGroupChangePolicy("OnRootMismatch")
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                .build();
    }

    /** A pod that Kubernetes itself takes away, for a node that is drained, is no failed attempt. */
    private static PodFailurePolicy failures() {
        return new PodFailurePolicyBuilder()
                .addNewRule()
                .withAction("FailJob")
                .withNewOnExitCodes()
                .withOperator("In")
                .withValues(ExitCodes.FATAL)
                .endOnExitCodes()
                .endRule()
                .addNewRule()
                .withAction("Ignore")
                .addNewOnPodCondition()
                .withType("DisruptionTarget")
                .withStatus("True")
                .endOnPodCondition()
                .endRule()
                .build();
    }
}
