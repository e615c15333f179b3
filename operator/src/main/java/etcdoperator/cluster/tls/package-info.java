/** Which certificate is issued, copied or rotated next, judged from Secrets and from what members serve. */
@NullMarked
package etcdoperator.cluster.tls;

import org.jspecify.annotations.NullMarked;
