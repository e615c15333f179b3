package etcdoperator.manifest;

import static etcdoperator.manifest.Addresses.CLIENT_PORT;
import static etcdoperator.manifest.Addresses.METRICS_PORT;
import static etcdoperator.manifest.Addresses.PEER_PORT;

import etcdoperator.api.EtcdPeer;
import etcdoperator.api.TlsSetup;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Scheme;
import etcdoperator.manifest.Addresses.IpFamily;
import etcdoperator.manifest.flags.EtcdFlags;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The container that runs etcd. */
public final class EtcdContainer {
    /** Found by it in a pod: what is injected into one may come before it. */
    public static final String NAME = "etcd";

    /** The volume with its data, found by its name for the same reason. */
    public static final String DATA_VOLUME = "data";

    /** A folder inside the volume: etcd wants it for itself, and file systems put things of their own at the top. */
    static final String MOUNT_PATH = "/var/lib/etcd";

    static final String DATA_DIR = MOUNT_PATH + "/data";

    private EtcdContainer() {}

    static Container of(EtcdPeer peer, IpFamily family) {
        var template = peer.getSpec().podTemplateOrEmpty();
        var version = EtcdVersion.parse(peer.getSpec().version());
        return RestrictedContainer.of(
                        NAME, peer.getSpec().image(), "/usr/local/bin/etcd", arguments(peer, version, family))
                .withEnv(environment(template.env(), template.resources()))
                .addNewPort()
                .withName("client")
                .withContainerPort(CLIENT_PORT)
                .withProtocol("TCP")
                .endPort()
                .addNewPort()
                .withName("peer")
                .withContainerPort(PEER_PORT)
                .withProtocol("TCP")
                .endPort()
                .addNewPort()
                .withName("metrics")
                .withContainerPort(METRICS_PORT)
                .withProtocol("TCP")
                .endPort()
                .withResources(template.resources())
                .withStartupProbe(startup())
                .withReadinessProbe(readiness(version))
                .addNewVolumeMount()
                .withName(DATA_VOLUME)
                .withMountPath(MOUNT_PATH)
                .endVolumeMount()
                .addAllToVolumeMounts(TlsFiles.mounts(peer.getSpec().tlsOrNone()))
                .build();
    }

    private static List<String> arguments(EtcdPeer peer, EtcdVersion version, IpFamily family) {
        var cluster =
                new ClusterKey(peer.getMetadata().getNamespace(), peer.getSpec().clusterName());
        var name = PeerName.parse(peer.getMetadata().getName());
        TlsSetup tls = peer.getSpec().tlsOrNone();
        Scheme scheme = Transports.between(tls);
        List<Scheme> served = Transports.of(tls).client().schemes();
        String host = Addresses.memberHost(cluster, peer.getSpec().claimName());
        List<String> arguments = new ArrayList<>(List.of(
                "--name=" + name,
                "--data-dir=" + DATA_DIR,
                "--listen-peer-urls=" + family.listenUrl(scheme, PEER_PORT),
                "--listen-client-urls=" + joined(served, each -> family.listenUrl(each, CLIENT_PORT)),
                "--listen-metrics-urls=" + family.listenUrl(Scheme.HTTP, METRICS_PORT),
                "--initial-advertise-peer-urls=" + Addresses.peerUrl(scheme, host),
                "--advertise-client-urls=" + joined(served, each -> Addresses.clientUrl(each, host))));
        arguments.addAll(TlsFiles.flags(tls, version));
        arguments.addAll(EtcdFlags.of(peer.getSpec().etcdOrDefault(), version));
        return arguments;
    }

    private static String joined(List<Scheme> schemes, Function<Scheme, String> url) {
        return schemes.stream().map(url).collect(Collectors.joining(","));
    }

    /**
     * Whether etcd may found a cluster comes from the pod's annotations: the kubelet reads them anew for every start
     * of the container, so the right can be taken from a pod that runs, without restarting it.
     */
    private static List<EnvVar> environment(List<EnvVar> users, @Nullable ResourceRequirements resources) {
        List<EnvVar> variables = new ArrayList<>(users);
        variables.add(fromAnnotation("ETCD_INITIAL_CLUSTER", Labels.INITIAL_CLUSTER));
        variables.add(fromAnnotation("ETCD_INITIAL_CLUSTER_STATE", Labels.INITIAL_CLUSTER_STATE));
        variables.add(fromAnnotation("ETCD_INITIAL_CLUSTER_TOKEN", Labels.INITIAL_CLUSTER_TOKEN));
        cpuLimit(resources)
                .map(limit -> new EnvVarBuilder()
                        .withName("GOMAXPROCS")
                        .withValue(Integer.toString(wholeCores(limit)))
                        .build())
                .ifPresent(variables::add);
        return variables;
    }

    private static EnvVar fromAnnotation(String variable, String annotation) {
        return new EnvVarBuilder()
                .withName(variable)
                .withNewValueFrom()
                .withNewFieldRef()
                .withApiVersion("v1")
                .withFieldPath("metadata.annotations['" + annotation + "']")
                .endFieldRef()
                .endValueFrom()
                .build();
    }

    private static Optional<Quantity> cpuLimit(@Nullable ResourceRequirements resources) {
        return Optional.ofNullable(resources)
                .map(ResourceRequirements::getLimits)
                .map(limits -> limits.get("cpu"));
    }

    private static int wholeCores(Quantity limit) {
        BigDecimal cores = limit.getNumericalAmount();
        return Math.max(1, cores.setScale(0, RoundingMode.FLOOR).intValue());
    }

    /** As patient as it takes: a member that waits for quorum must not be killed for waiting. */
    private static Probe startup() {
        return httpProbe("/health").withFailureThreshold(Integer.MAX_VALUE).build();
    }

    /**
     * Says whether this member can serve, not whether the cluster has quorum: else losing quorum would empty the
     * client service, and serializable reads with it. Lines without such a check open the client port only once
     * they have joined.
     */
    private static Probe readiness(EtcdVersion version) {
        return version.hasReadyz()
                ? httpProbe("/readyz?exclude=linearizable_read").build()
                : new ProbeBuilder()
                        .withNewTcpSocket()
                        .withPort(new IntOrString(CLIENT_PORT))
                        .endTcpSocket()
                        .withPeriodSeconds(2)
                        .withTimeoutSeconds(2)
                        .build();
    }

    private static ProbeBuilder httpProbe(String path) {
        return new ProbeBuilder()
                .withNewHttpGet()
                .withPath(path)
                .withPort(new IntOrString(METRICS_PORT))
                .withScheme("HTTP")
                .endHttpGet()
                .withPeriodSeconds(1)
                .withTimeoutSeconds(2);
    }
}
