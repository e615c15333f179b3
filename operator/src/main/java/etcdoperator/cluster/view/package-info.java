/** What one pass sees: {@code ClusterView} and its parts. All of it is immutable. */
@NullMarked
package etcdoperator.cluster.view;

import org.jspecify.annotations.NullMarked;
