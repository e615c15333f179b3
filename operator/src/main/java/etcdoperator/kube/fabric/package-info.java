/** The client of Kubernetes: informers, caches and writes through fabric8. Only processes import this package. */
@NullMarked
package etcdoperator.kube.fabric;

import org.jspecify.annotations.NullMarked;
