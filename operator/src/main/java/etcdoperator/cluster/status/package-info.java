/** What users are told after a pass: conditions, problems, Events, the status of peers. Pure. */
@NullMarked
package etcdoperator.cluster.status;

import org.jspecify.annotations.NullMarked;
