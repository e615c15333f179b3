/** Certificates: makes them, reads them, and says in plain words what is wrong with them. */
@NullMarked
package io.improbable.etcd.tls;

import org.jspecify.annotations.NullMarked;
