/**
 * Whether a majority is lost for good, and from which disk or backup the cluster recovers. Functions from view to step.
 */
@NullMarked
package etcdoperator.cluster.recovery;

import org.jspecify.annotations.NullMarked;
