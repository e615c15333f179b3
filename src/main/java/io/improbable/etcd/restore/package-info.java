/** Brings a backup back: into a cluster that is made for it, or in place of the data of one that is there. */
@NullMarked
package io.improbable.etcd.restore;

import org.jspecify.annotations.NullMarked;
