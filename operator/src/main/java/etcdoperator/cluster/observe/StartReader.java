package etcdoperator.cluster.observe;

import static java.util.stream.Collectors.toSet;

import etcdoperator.api.PeerBootstrap;
import etcdoperator.api.PeerBootstrap.InitialClusterState;
import etcdoperator.cluster.view.Start;
import etcdoperator.manifest.Addresses;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Set;

/** Reads how a member may start: as a founder, as one that joins, or on its data only. */
final class StartReader {
    private StartReader() {}

    static Start start(ObjectMeta metadata) {
        boolean founds = "new".equals(metadata.getAnnotations().get(Labels.INITIAL_CLUSTER_STATE));
        boolean others = metadata.getAnnotations()
                .getOrDefault(Labels.INITIAL_CLUSTER, "")
                .contains(",");
        return founds ? Start.FOUNDS : others ? Start.JOINS : Start.ON_DATA;
    }

    static Start start(PeerBootstrap bootstrap) {
        boolean founds = bootstrap.initialClusterState() == InitialClusterState.NEW;
        boolean others = bootstrap.staticBootstrap().initialCluster().size() > 1;
        return founds ? Start.FOUNDS : others ? Start.JOINS : Start.ON_DATA;
    }

    static Set<String> startsWith(PeerBootstrap bootstrap) {
        return bootstrap.staticBootstrap().initialCluster().stream()
                .map(member -> Addresses.label(member.host()))
                .collect(toSet());
    }
}
