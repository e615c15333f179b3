package etcdoperator.manifest;

import static java.util.stream.Collectors.joining;

import etcdoperator.api.EtcdPeer;
import etcdoperator.api.PeerBootstrap;
import etcdoperator.api.PeerBootstrap.InitialClusterState;
import etcdoperator.api.PeerSettings;
import etcdoperator.api.PodTemplate;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Scheme;
import etcdoperator.manifest.Addresses.IpFamily;
import io.fabric8.kubernetes.api.model.HostAlias;
import io.fabric8.kubernetes.api.model.HostAliasBuilder;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSecurityContextBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The ReplicaSet of one pod that runs a peer, so that Kubernetes restarts it while the operator is away. */
public final class PeerReplicaSet {
    private static final long ETCD_USER = 65532L;

    private PeerReplicaSet() {}

    public static ReplicaSet of(EtcdPeer peer, IpFamily family) {
        var cluster =
                new ClusterKey(peer.getMetadata().getNamespace(), peer.getSpec().clusterName());
        var name = PeerName.parse(peer.getMetadata().getName());
        Map<String, String> labels = Labels.ofPeer(cluster, name);
        return new ReplicaSetBuilder()
                .withNewMetadata()
                .withNamespace(cluster.namespace())
                .withName(name.toString())
                .withLabels(labels)
                .withOwnerReferences(Owned.by(peer))
                .endMetadata()
                .withNewSpec()
                .withReplicas(peer.getSpec().standsStill() ? 0 : 1)
                .withNewSelector()
                .withMatchLabels(Map.of(Labels.CLUSTER, cluster.name(), Labels.PEER, name.toString()))
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(podLabels(peer, labels))
                .withAnnotations(podAnnotations(peer))
                .endMetadata()
                .withSpec(podSpec(peer, cluster, family))
                .endTemplate()
                .endSpec()
                .build();
    }

    /** What a container of this peer tells etcd at its next start. */
    public static Map<String, String> startAnnotations(PeerBootstrap bootstrap) {
        String members = bootstrap.staticBootstrap().initialCluster().stream()
                .map(member -> member.name() + "=" + Addresses.peerUrl(Scheme.named(member.scheme()), member.host()))
                .collect(joining(","));
        boolean founds = bootstrap.initialClusterState() == InitialClusterState.NEW;
        return Map.of(
                Labels.INITIAL_CLUSTER,
                members,
                Labels.INITIAL_CLUSTER_STATE,
                founds ? "new" : "existing",
                Labels.INITIAL_CLUSTER_TOKEN,
                Objects.requireNonNullElse(bootstrap.token(), ""));
    }

    private static Map<String, String> podLabels(EtcdPeer peer, Map<String, String> ours) {
        Map<String, String> labels = new TreeMap<>(
                peer.getSpec().podTemplateOrEmpty().metadataOrEmpty().labels());
        labels.putAll(ours);
        if (!isRecognised(peer)) {
            labels.putAll(Labels.outOfService(true));
        }
        return labels;
    }

    /**
     * A volume may hold other data than its claim says. Until the operator has recognised the member, clients are kept
     * away from its pod; from then on its next pods serve clients even while the operator is away.
     */
    private static boolean isRecognised(EtcdPeer peer) {
        return isSealed(peer.getSpec().bootstrap()) && !Labels.isUnrecognised(peer);
    }

    /** Whether etcd starts on its data or not at all. */
    private static boolean isSealed(PeerBootstrap bootstrap) {
        return bootstrap.initialClusterState() == InitialClusterState.EXISTING
                && bootstrap.staticBootstrap().initialCluster().size() == 1;
    }

    private static Map<String, String> podAnnotations(EtcdPeer peer) {
        Map<String, String> annotations = new TreeMap<>(
                peer.getSpec().podTemplateOrEmpty().metadataOrEmpty().annotations());
        annotations.putAll(startAnnotations(peer.getSpec().bootstrap()));
        annotations.put(Labels.SETTINGS, PeerSettings.hashOf(peer.getSpec()));
        annotations.putAll(Transports.annotations(Transports.of(peer.getSpec().tlsOrNone())));
        return annotations;
    }

    private static PodSpec podSpec(EtcdPeer peer, ClusterKey cluster, IpFamily family) {
        PodTemplate template = peer.getSpec().podTemplateOrEmpty();
        return new PodSpecBuilder()
                .withHostname(peer.getSpec().claimName())
                .withSubdomain(Addresses.headlessService(cluster))
                .withHostAliases(itself(cluster, peer.getSpec().claimName()))
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withContainers(EtcdContainer.of(peer, family))
                .addNewVolume()
                .withName(EtcdContainer.DATA_VOLUME)
                .withNewPersistentVolumeClaim()
                .withClaimName(peer.getSpec().claimName())
                .endPersistentVolumeClaim()
                .endVolume()
                .addAllToVolumes(TlsFiles.volumes(peer.getSpec().tlsOrNone()))
                .withSecurityContext(securityContext(template.securityContext()))
                .withAffinity(Placement.affinity(template, cluster))
                .withNodeSelector(template.nodeSelector())
                .withTolerations(Tolerations.of(template.tolerations()))
                .withTopologySpreadConstraints(Placement.spread(template, cluster))
                .withPriorityClassName(template.priorityClassName())
                .withImagePullSecrets(template.imagePullSecrets())
                .build();
    }

    /** etcd looks its own name up before it starts, and waits a second where the name is not in DNS yet. */
    private static HostAlias itself(ClusterKey cluster, String claimName) {
        return new HostAliasBuilder()
                .withIp("127.0.0.1")
                .withHostnames(Addresses.memberHost(cluster, claimName))
                .build();
    }

    /** The user's word holds; what it leaves out is what Pod Security "restricted" asks for. */
    static PodSecurityContext securityContext(@Nullable PodSecurityContext users) {
        var context = users == null ? new PodSecurityContext() : users;
        return new PodSecurityContextBuilder(context)
                .withRunAsNonRoot(Objects.requireNonNullElse(context.getRunAsNonRoot(), true))
                .withRunAsUser(Objects.requireNonNullElse(context.getRunAsUser(), ETCD_USER))
                .withRunAsGroup(Objects.requireNonNullElse(context.getRunAsGroup(), ETCD_USER))
                .withFsGroup(Objects.requireNonNullElse(context.getFsGroup(), ETCD_USER))
                .withFsGroupChangePolicy(Objects.requireNonNullElse(context.getFsGroupChangePolicy(), "OnRootMismatch"))
                .editOrNewSeccompProfile()
                .withType(
                        context.getSeccompProfile() == null
                                ? "RuntimeDefault"
                                : context.getSeccompProfile().getType())
                .endSeccompProfile()
                .build();
    }
}
