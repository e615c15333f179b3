/** EtcdBackup and EtcdBackupSchedule, and the places where backups are stored, with their CRD rules. */
@NullMarked
package etcdoperator.api.backup;

import org.jspecify.annotations.NullMarked;
