/** One pass over an EtcdRestore: fills claims from a backup or a disk before the cluster starts on them. */
@NullMarked
package etcdoperator.restore;

import org.jspecify.annotations.NullMarked;
