package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import etcdoperator.api.backup.ClusterBackupSpec;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import org.jspecify.annotations.Nullable;

/** What the user asks of a cluster. The rules on the type refuse what this release would otherwise ignore. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "!has(self.affinity) || !has(self.podTemplate) || !has(self.podTemplate.affinity)",
        message = "affinity is given in both spec.affinity and spec.podTemplate.affinity: keep one of them")
@ValidationRule(value = AuthRules.PROTECTED, message = AuthRules.MESSAGE, optionalOldSelf = true)
public record EtcdClusterSpec(
        @JsonPropertyDescription(
                "How many members the cluster has. Use an odd number: 3 or 5 in production, 1 for tests. 0 puts the"
                        + " cluster to sleep: its members stop and keep their data.")
        @Required
        @SpecReplicas
        @ValidationRule(
                value = "self >= 0",
                message = "spec.replicas must not be negative: use 1, 3 or 5, or 0 for a cluster that sleeps")
        int replicas,

        @JsonPropertyDescription("The etcd version to run, such as 3.6.16, without a leading v. It must be a tag of the"
                + " image repository (there with a leading v). Only major version 3 is supported. It goes up or down one"
                + " minor at a time, and any way within a minor.")
        @Required
        @Size(max = 64)
        @ValidationRule(
                value = "!self.startsWith('v')",
                message = "spec.version must not start with 'v': write 3.6.16, not v3.6.16")
        @ValidationRule(
                value = "self.startsWith('v') || self.matches('" + EtcdClusterSpec.SEMVER + "')",
                message = "spec.version must be a semantic version, MAJOR.MINOR.PATCH with an optional"
                        + " -PRERELEASE: write all three numbers, such as 3.6.16")
        @ValidationRule(
                value = "!self.matches('" + EtcdClusterSpec.SEMVER + "') || self.startsWith('3.')",
                message = "spec.version must have major version 3, the only one this operator runs: choose a"
                        + " version such as 3.6.16")
        String version,

        @JsonPropertyDescription("Where the etcd image comes from.") @Nullable
        ImageSpec image,

        @JsonPropertyDescription("The volume of each member. Once the cluster has been created, it can only grow.")
        @Required
        @ValidationRule(
                value = StorageRules.ONLY_LARGER,
                message = "spec.storage can only grow, because volumes cannot shrink: restore its former value, or"
                        + " create another cluster",
                messageExpression = StorageRules.ONLY_LARGER_MESSAGE)
        @ValidationRule(
                value = StorageRules.ONLY_SIZE,
                message = "spec.storage cannot be changed once the cluster has been created, except that"
                        + " volumeClaimTemplate.resources.requests.storage can be raised: restore the former value"
                        + " of all else, or create another cluster")
        StorageSpec storage,

        @JsonPropertyDescription("What to add to the pods that run etcd.") @Nullable
        PodTemplate podTemplate,

        @JsonPropertyDescription("Affinity of the etcd pods; the same as podTemplate.affinity, of which only one may be"
                + " given. Default: pods of one cluster prefer different hosts.")
        @Nullable
        Affinity affinity,

        @JsonPropertyDescription("Settings of etcd itself.") @Nullable
        EtcdOptions etcd,

        @JsonPropertyDescription("Services for clients.") @Nullable
        ServicesSpec services,

        @JsonPropertyDescription("TLS of client and peer traffic.") @Nullable
        TlsSpec tls,

        @JsonPropertyDescription("Users and roles of etcd.") @Nullable
        AuthSpec auth,

        @JsonPropertyDescription("NetworkPolicy around the members.") @Nullable
        NetworkPolicySpec networkPolicy,

        @JsonPropertyDescription("When a member or a quorum counts as lost.") @Nullable
        RecoverySpec recovery,

        @JsonPropertyDescription("Upkeep and when it may run.") @Nullable
        MaintenanceSpec maintenance,

        @JsonPropertyDescription("Backups taken on the operator's own account.") @Nullable
        ClusterBackupSpec backup,

        @JsonPropertyDescription("Whether the operator leaves this cluster alone.") @Nullable
        Boolean paused) {

    /** No build metadata: '+' cannot be part of an image tag. */
    static final String SEMVER =
            "^(0|[1-9][0-9]{0,5})[.](0|[1-9][0-9]{0,5})[.](0|[1-9][0-9]{0,5})(-[0-9A-Za-z-]+([.][0-9A-Za-z-]+)*)?$";

    /** A spec with all that is required and nothing else. */
    public static EtcdClusterSpec of(int replicas, String version, StorageSpec storage) {
        return new EtcdClusterSpec(
                replicas, version, null, storage, null, null, null, null, null, null, null, null, null, null, null);
    }

    public EtcdClusterSpec withReplicas(int newReplicas) {
        return with(newReplicas, version, image, podTemplate, tls, recovery);
    }

    public EtcdClusterSpec withVersion(String newVersion) {
        return with(replicas, newVersion, image, podTemplate, tls, recovery);
    }

    public EtcdClusterSpec withImage(ImageSpec newImage) {
        return with(replicas, version, newImage, podTemplate, tls, recovery);
    }

    public EtcdClusterSpec withPodTemplate(PodTemplate newPodTemplate) {
        return with(replicas, version, image, newPodTemplate, tls, recovery);
    }

    public EtcdClusterSpec withTls(@Nullable TlsSpec newTls) {
        return with(replicas, version, image, podTemplate, newTls, recovery);
    }

    public EtcdClusterSpec withRecovery(RecoverySpec newRecovery) {
        return with(replicas, version, image, podTemplate, tls, newRecovery);
    }

    /** The one place that lists all fields: those that somebody changes are given, the others stay. */
    private EtcdClusterSpec with(
            int newReplicas,
            String newVersion,
            @Nullable ImageSpec newImage,
            @Nullable PodTemplate newPodTemplate,
            @Nullable TlsSpec newTls,
            @Nullable RecoverySpec newRecovery) {
        return new EtcdClusterSpec(
                newReplicas,
                newVersion,
                newImage,
                storage,
                newPodTemplate,
                affinity,
                etcd,
                services,
                newTls,
                auth,
                networkPolicy,
                newRecovery,
                maintenance,
                backup,
                paused);
    }

    /** Where the image comes from when the manifest says nothing, too. */
    public ImageSpec imageOrDefault() {
        return image == null ? ImageSpec.DEFAULT : image;
    }

    public ServicesSpec servicesOrDefault() {
        return services == null ? ServicesSpec.DEFAULT : services;
    }

    /** Whether a NetworkPolicy is to stand around the members. */
    public boolean wantsFence() {
        return networkPolicy != null && Boolean.TRUE.equals(networkPolicy.enabled());
    }

    public EtcdOptions etcdOrDefault() {
        return etcd == null ? EtcdOptions.DEFAULT : etcd;
    }

    public RecoverySpec recoveryOrDefault() {
        return recovery == null ? RecoverySpec.DEFAULT : recovery;
    }

    /** The pod template of every peer: {@code spec.affinity} is only another place to write its affinity. */
    public PodTemplate podTemplateWithAffinity() {
        PodTemplate template = podTemplate == null ? PodTemplate.EMPTY : podTemplate;
        return affinity == null ? template : template.withAffinity(affinity);
    }
}
