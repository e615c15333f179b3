/**
 * One pass over an EtcdCluster: {@code ClusterPass} observes, plans, acts and reports; {@code Planner} is the one place
 * that holds the order of priorities.
 */
@NullMarked
package etcdoperator.cluster;

import org.jspecify.annotations.NullMarked;
