package etcdoperator.domain;

/** Where an EtcdCluster lives. */
public record ClusterKey(String namespace, String name) {
    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
