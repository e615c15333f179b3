/** One pass over an EtcdBackupSchedule: which backup is due, which have expired, which restore test runs. */
@NullMarked
package etcdoperator.schedule;

import org.jspecify.annotations.NullMarked;
