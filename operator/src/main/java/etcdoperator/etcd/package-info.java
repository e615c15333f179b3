/**
 * What the operator knows about etcd: records, answers, and the interfaces through which it asks and changes members.
 * The client is in {@code etcd.grpc}.
 */
@NullMarked
package etcdoperator.etcd;

import org.jspecify.annotations.NullMarked;
