/** {@code make bench}: how fast and how heavy the operator is, measured on the test bed. See bench/README.md. */
@NullMarked
package etcdoperator.bench;

import org.jspecify.annotations.NullMarked;
