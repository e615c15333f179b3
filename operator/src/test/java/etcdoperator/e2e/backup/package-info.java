/** Backups, schedules and restores, and what is restored from them. */
package etcdoperator.e2e.backup;
