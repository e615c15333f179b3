/** Talks to etcd: endpoints, the client, and the prober that asks members off the loop. */
@NullMarked
package io.improbable.etcd.etcd;

import org.jspecify.annotations.NullMarked;
