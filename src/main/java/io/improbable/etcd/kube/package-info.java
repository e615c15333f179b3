/** Talks to the API server: caches, effects and the work queue. */
@NullMarked
package io.improbable.etcd.kube;

import org.jspecify.annotations.NullMarked;
