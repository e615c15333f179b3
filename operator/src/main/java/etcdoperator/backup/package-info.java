/** One pass over an EtcdBackup: where its data comes from, the Job that stores it, what became of it. */
@NullMarked
package etcdoperator.backup;

import org.jspecify.annotations.NullMarked;
