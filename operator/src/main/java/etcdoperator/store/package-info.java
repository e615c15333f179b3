/**
 * Where backups are kept: buckets of the three large providers and what is compatible with them, and mounted folders.
 */
@NullMarked
package etcdoperator.store;

import org.jspecify.annotations.NullMarked;
