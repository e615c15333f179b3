/** The processes in the pods of backups and restores: they move snapshots between etcd, stores and volumes. */
@NullMarked
package etcdoperator.agent;

import org.jspecify.annotations.NullMarked;
