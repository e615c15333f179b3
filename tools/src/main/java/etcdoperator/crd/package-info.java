/** Generates the CRDs, the field reference and the rendered chart from the API types. */
@NullMarked
package etcdoperator.crd;

import org.jspecify.annotations.NullMarked;
