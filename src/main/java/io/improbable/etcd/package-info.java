/** The one entry point of the image: a subcommand picks the role. */
@NullMarked
package io.improbable.etcd;

import org.jspecify.annotations.NullMarked;
