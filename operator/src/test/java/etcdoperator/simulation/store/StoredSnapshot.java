package etcdoperator.simulation.store;

import etcdoperator.domain.ClusterId;
import java.util.List;

/**
 * A snapshot of an etcd cluster, as an object in a store.
 *
 * @param confirmed whether a quorum confirmed that it is up to date
 * @param values every write that is in it, in order
 */
public record StoredSnapshot(
        ClusterId cluster, long revision, String version, boolean confirmed, List<Integer> values) {
    /** Differs where the content differs. */
    public String sha256() {
        return "%s-%d-%x".formatted(cluster, revision, values.hashCode());
    }
}
