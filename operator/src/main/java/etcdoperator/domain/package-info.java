/** Values that every other package uses: member ids, peer names, versions, quorum. No machinery. */
@NullMarked
package etcdoperator.domain;

import org.jspecify.annotations.NullMarked;
