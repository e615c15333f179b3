/** What runs in the pods of backups and restores: it moves snapshots between etcd, stores and volumes. */
@NullMarked
package io.improbable.etcd.agent;

import org.jspecify.annotations.NullMarked;
