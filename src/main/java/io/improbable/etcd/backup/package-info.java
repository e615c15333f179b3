/** One EtcdBackup: observe, plan, act, report. An agent in a Job of its own does the work. */
@NullMarked
package io.improbable.etcd.backup;

import org.jspecify.annotations.NullMarked;
