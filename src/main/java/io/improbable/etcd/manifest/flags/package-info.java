/**
 * The flags of etcd: one table with a row for each flag and a column for each release line.
 * Turns {@code spec.etcd} into the flags of a version, and knows nothing of pods.
 */
@NullMarked
package io.improbable.etcd.manifest.flags;

import org.jspecify.annotations.NullMarked;
