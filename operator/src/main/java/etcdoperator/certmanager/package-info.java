/** The part of cert-manager's API that the operator needs to request certificates. */
@NullMarked
package etcdoperator.certmanager;

import org.jspecify.annotations.NullMarked;
