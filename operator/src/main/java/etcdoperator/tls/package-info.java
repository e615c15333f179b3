/**
 * X.509: makes, reads and judges certificates, keys and trust bundles. Private keys are handled here
 * and are never printed.
 */
@NullMarked
package etcdoperator.tls;

import org.jspecify.annotations.NullMarked;
