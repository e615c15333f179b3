/** The work queue that every kind shares. It knows no kind. */
@NullMarked
package etcdoperator.reconcile;

import org.jspecify.annotations.NullMarked;
