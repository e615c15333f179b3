/** The clients of etcd: gRPC, and HTTP for metrics and etcd 2's keys. Only processes import this package. */
@NullMarked
package etcdoperator.etcd.grpc;

import org.jspecify.annotations.NullMarked;
