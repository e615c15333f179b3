/** One EtcdBackupSchedule: which backup is due, and which have had their time. */
@NullMarked
package io.improbable.etcd.schedules;

import org.jspecify.annotations.NullMarked;
