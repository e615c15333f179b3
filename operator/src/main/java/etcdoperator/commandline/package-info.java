/** Reads the command line of each role of the program. */
@NullMarked
package etcdoperator.commandline;

import org.jspecify.annotations.NullMarked;
