/** Which of etcd's users, roles and passwords have to change. Functions from view to step. */
@NullMarked
package etcdoperator.cluster.auth;

import org.jspecify.annotations.NullMarked;
