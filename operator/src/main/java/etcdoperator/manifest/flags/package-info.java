/** The flags of etcd in one table: a row for each flag, a column for each release line. */
@NullMarked
package etcdoperator.manifest.flags;

import org.jspecify.annotations.NullMarked;
