/** {@code make bench}: how fast and how heavy the operator is, measured on the test bed. See bench/README.md. */
@NullMarked
package io.improbable.etcd.bench;

import org.jspecify.annotations.NullMarked;
