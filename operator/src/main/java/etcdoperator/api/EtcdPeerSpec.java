package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** All that is needed to run one peer, resolved from its cluster by the operator. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record EtcdPeerSpec(
        @JsonPropertyDescription("Name of the EtcdCluster this peer belongs to.")
        @Required
        @ValidationRule(
                value = "self == oldSelf",
                message = "spec.clusterName cannot be changed: EtcdPeers are made by the operator, change the"
                        + " EtcdCluster instead")
        String clusterName,

        @JsonPropertyDescription("The etcd version this peer runs.") @Required
        String version,

        @JsonPropertyDescription("The image this peer runs.") @Required
        PeerImage image,

        @JsonPropertyDescription("The volume of this peer.") @Required
        StorageSpec storage,

        @JsonPropertyDescription("What to add to this peer's pod.") @Nullable
        PodTemplate podTemplate,

        @JsonPropertyDescription("Settings of this peer's etcd.") @Nullable
        EtcdOptions etcd,

        @JsonPropertyDescription("How this peer's etcd speaks TLS; plaintext where absent.") @Nullable
        TlsSetup tls,

        @JsonPropertyDescription(
                "How etcd starts on an empty volume. Once the member has joined, an empty volume is" + " refused.")
        @Required
        PeerBootstrap bootstrap,

        @JsonPropertyDescription("Name of the PersistentVolumeClaim with this peer's data. A member that is replaced"
                + " gets another one.")
        @Required
        String claimName,

        @JsonPropertyDescription(
                "Whether no pod runs for this peer: its cluster sleeps, or its member is being" + " replaced.")
        @Nullable
        Boolean stopped) {

    public PodTemplate podTemplateOrEmpty() {
        return podTemplate == null ? PodTemplate.EMPTY : podTemplate;
    }

    public EtcdOptions etcdOrDefault() {
        return etcd == null ? EtcdOptions.DEFAULT : etcd;
    }

    public TlsSetup tlsOrNone() {
        return tls == null ? TlsSetup.NONE : tls;
    }

    /** Not named after the field, or it would be written as false into every peer. */
    public boolean standsStill() {
        return Boolean.TRUE.equals(stopped);
    }

    /** With everything that users can set of its pod as another has it. */
    public EtcdPeerSpec withSettingsOf(EtcdPeerSpec other) {
        return new EtcdPeerSpec(
                clusterName,
                other.version,
                other.image,
                storage,
                other.podTemplate,
                other.etcd,
                other.tls,
                bootstrap,
                claimName,
                stopped);
    }

    public EtcdPeerSpec withBootstrap(PeerBootstrap newBootstrap) {
        return new EtcdPeerSpec(
                clusterName, version, image, storage, podTemplate, etcd, tls, newBootstrap, claimName, stopped);
    }

    public EtcdPeerSpec withClaimName(String newClaimName) {
        return new EtcdPeerSpec(
                clusterName, version, image, storage, podTemplate, etcd, tls, bootstrap, newClaimName, stopped);
    }

    public EtcdPeerSpec withStopped(boolean stop) {
        return new EtcdPeerSpec(
                clusterName, version, image, storage, podTemplate, etcd, tls, bootstrap, claimName, stop ? true : null);
    }
}
