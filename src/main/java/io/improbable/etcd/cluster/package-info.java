/** One pass over an EtcdCluster: observe, plan, act, report. All judgement is in {@link io.improbable.etcd.cluster.Planner}. */
@NullMarked
package io.improbable.etcd.cluster;

import org.jspecify.annotations.NullMarked;
