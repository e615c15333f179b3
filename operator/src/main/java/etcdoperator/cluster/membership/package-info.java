/** Which member is removed, added, promoted or sealed next. Functions from view to step. */
@NullMarked
package etcdoperator.cluster.membership;

import org.jspecify.annotations.NullMarked;
