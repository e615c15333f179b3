package etcdoperator.e2e;

import java.util.List;
import java.util.Map;

/** What must be the same whenever a cluster comes back. */
record Identity(String clusterId, Map<String, String> memberIds, List<String> volumes) {
    static Identity of(TestCluster cluster) {
        return new Identity(
                cluster.status().clusterId(),
                cluster.memberIds(),
                cluster.claims().stream()
                        .map(claim -> claim.getSpec().getVolumeName())
                        .toList());
    }
}
