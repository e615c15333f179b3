package etcdoperator.cluster.observe;

import etcdoperator.api.ClusterLineage;
import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.cluster.view.ClusterView.KnownMember;
import etcdoperator.cluster.view.ClusterView.Memory;
import etcdoperator.cluster.view.Operation;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.EtcdVersion;
import java.util.List;
import java.util.Optional;

/** What the status of a cluster remembers of earlier passes. */
final class MemoryReader {
    private MemoryReader() {}

    static Memory read(EtcdCluster cluster) {
        Optional<EtcdClusterStatus> status = Optional.ofNullable(cluster.getStatus());
        return new Memory(
                status.map(EtcdClusterStatus::clusterId).map(ClusterId::parse),
                status.map(EtcdClusterStatus::lineageOrNone)
                        .map(ClusterLineage::replacedClusterIds)
                        .orElse(List.of())
                        .stream()
                        .flatMap(id -> ClusterId.tryParse(id).stream())
                        .toList(),
                status.map(EtcdClusterStatus::lineage).map(ClusterLineage::restoredAt),
                status.map(EtcdClusterStatus::clusterVersion).map(EtcdVersion::parse),
                status.map(EtcdClusterStatus::operation).map(Operation::of),
                status.map(EtcdClusterStatus::members).orElse(List.of()).stream()
                        .map(KnownMember::of)
                        .toList());
    }
}
