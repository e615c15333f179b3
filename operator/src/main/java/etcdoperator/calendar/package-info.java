/**
 * When something is due and which backups are kept: crontabs, windows, time zones, retention.
 * Pure: the time and the time zone are inputs.
 */
@NullMarked
package etcdoperator.calendar;

import org.jspecify.annotations.NullMarked;
