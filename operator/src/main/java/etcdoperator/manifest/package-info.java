/** Builds Kubernetes objects from the API types. Pure. */
@NullMarked
package etcdoperator.manifest;

import org.jspecify.annotations.NullMarked;
