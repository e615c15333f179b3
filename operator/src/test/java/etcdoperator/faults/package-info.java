/** {@code make faults}: plants known faults, one at a time, and checks that a test finds each. See faults/README.md. */
@NullMarked
package etcdoperator.faults;

import org.jspecify.annotations.NullMarked;
