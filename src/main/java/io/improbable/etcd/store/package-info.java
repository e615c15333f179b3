/** Where backups are kept: buckets of the three large providers, what is compatible with them, and mounted folders. */
@NullMarked
package io.improbable.etcd.store;

import org.jspecify.annotations.NullMarked;
