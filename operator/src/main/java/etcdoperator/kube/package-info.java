/**
 * What the operator knows about Kubernetes: the objects of a cluster, and the interfaces through which it reads and
 * writes them. The client is in {@code kube.fabric}.
 */
@NullMarked
package etcdoperator.kube;

import org.jspecify.annotations.NullMarked;
