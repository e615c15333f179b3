/** Renders an EtcdPeer into its ReplicaSet; decides nothing. */
@NullMarked
package io.improbable.etcd.peer;

import org.jspecify.annotations.NullMarked;
