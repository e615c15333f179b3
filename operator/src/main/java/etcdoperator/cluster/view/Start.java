package etcdoperator.cluster.view;

/** What etcd does at its next start, if it finds its volume empty. */
public enum Start {
    /** It forms a cluster with the other founders. */
    FOUNDS,
    /** It takes the place of a member that was added for it, and learns from the others. */
    JOINS,
    /** It refuses. */
    ON_DATA
}
