/** One pass over an EtcdPeer: renders its ReplicaSet. It decides nothing. */
@NullMarked
package etcdoperator.peer;

import org.jspecify.annotations.NullMarked;
