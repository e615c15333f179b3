/** The steps that a pass can take, as records in sealed families by topic, with the values that they carry. */
@NullMarked
package etcdoperator.cluster.step;

import org.jspecify.annotations.NullMarked;
