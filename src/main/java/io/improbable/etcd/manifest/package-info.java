/** Builds Kubernetes objects from the API types. Pure. */
@NullMarked
package io.improbable.etcd.manifest;

import org.jspecify.annotations.NullMarked;
