/** Builds the view from caches, answers of members, and Secrets. Pure. */
@NullMarked
package etcdoperator.cluster.observe;

import org.jspecify.annotations.NullMarked;
