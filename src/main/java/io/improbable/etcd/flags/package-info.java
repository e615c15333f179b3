/** What the program is told when it is started. */
@NullMarked
package io.improbable.etcd.flags;

import org.jspecify.annotations.NullMarked;
