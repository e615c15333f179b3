/** Alarms, defragmentation, comparison of data. Functions from view to step. */
@NullMarked
package etcdoperator.cluster.maintenance;

import org.jspecify.annotations.NullMarked;
