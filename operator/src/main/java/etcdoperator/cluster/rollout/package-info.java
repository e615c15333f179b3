/** Which member restarts next with new settings or another version. Functions from view to step. */
@NullMarked
package etcdoperator.cluster.rollout;

import org.jspecify.annotations.NullMarked;
