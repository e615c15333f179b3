/** The entry point of the image: a subcommand picks the role of the process. */
@NullMarked
package etcdoperator;

import org.jspecify.annotations.NullMarked;
