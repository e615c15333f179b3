package etcdoperator.manifest;

import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.PeerImage;
import etcdoperator.domain.EtcdVersion;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An etcd of one member in the pod of a Job, on a folder that goes when the Job is done. Nobody outside the pod reaches
 * it. It is started before the containers that follow it, and ended by Kubernetes when the last of them is done.
 */
public final class ThrowAwayEtcd {
    /** Where the agent beside it finds it. */
    public static final String URL = "http://127.0.0.1:" + Addresses.CLIENT_PORT;

    /** What its container is called. */
    public static final String CONTAINER = EtcdContainer.NAME;

    /** As its data has to have it. */
    static final String NAME = "throw-away";

    static final String PEER_URL = "http://127.0.0.1:" + Addresses.PEER_PORT;

    private ThrowAwayEtcd() {}

    /**
     * @param spec of the cluster whose image it runs, with as much memory as a member has
     * @param dataDir what it runs on, and changes
     * @param mounts where that is
     */
    public static Container on(
            String dataDir, List<VolumeMount> mounts, EtcdClusterSpec spec, EtcdVersion version, String... more) {
        return on(
                dataDir,
                mounts,
                spec.imageOrDefault().at(version.toString()),
                spec.podTemplateWithAffinity().resources(),
                more);
    }

    /** @param resources none for whatever the node has */
    public static Container on(
            String dataDir,
            List<VolumeMount> mounts,
            PeerImage etcd,
            @Nullable ResourceRequirements resources,
            String... more) {
        List<String> flags = Stream.concat(flags(dataDir), Stream.of(more)).toList();
        return RestrictedContainer.of(CONTAINER, etcd, "/usr/local/bin/etcd", flags)
                .withRestartPolicy("Always")
                .withVolumeMounts(mounts)
                .withResources(resources)
                .build();
    }

    private static Stream<String> flags(String dataDir) {
        return Stream.of(
                "--name=" + NAME,
                "--data-dir=" + dataDir,
                "--listen-client-urls=" + URL,
                "--advertise-client-urls=" + URL,
                "--listen-peer-urls=" + PEER_URL,
                "--initial-advertise-peer-urls=" + PEER_URL,
                // It has nobody to wait for, but takes its data's word that there are others.
                "--heartbeat-interval=20",
                "--election-timeout=200",
                // None: one that is smaller than the member's would raise an alarm, which stays in the data.
                "--quota-backend-bytes=-1");
    }
}
