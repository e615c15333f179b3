package io.improbable.etcd.cluster;

import io.improbable.etcd.api.OperationType;
import io.improbable.etcd.domain.PeerName;

/** What a step is a part of: the operation that status records before its first effect. */
public record Task(OperationType type, String target) {
    static Task scaleUp(PeerName peer) {
        return new Task(OperationType.SCALE_UP, peer.toString());
    }

    static Task scaleDown(PeerName peer) {
        return new Task(OperationType.SCALE_DOWN, peer.toString());
    }

    static Task replace(PeerName peer) {
        return new Task(OperationType.REPLACE, peer.toString());
    }

    boolean isRecordedAs(Operation operation) {
        return operation.type() == type && operation.target().equals(target);
    }
}
