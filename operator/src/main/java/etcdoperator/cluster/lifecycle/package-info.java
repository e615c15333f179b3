/** How a cluster is founded, resumed, hibernated and woken. Functions from view to step. */
@NullMarked
package etcdoperator.cluster.lifecycle;

import org.jspecify.annotations.NullMarked;
