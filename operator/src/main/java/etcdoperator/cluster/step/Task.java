package etcdoperator.cluster.step;

import etcdoperator.api.OperationType;
import etcdoperator.cluster.view.Operation;
import etcdoperator.domain.PeerName;

/** What a step is a part of: the operation that status records before its first effect. */
public record Task(OperationType type, String target) {
    public static Task scaleUp(PeerName peer) {
        return new Task(OperationType.SCALE_UP, peer.toString());
    }

    public static Task scaleDown(PeerName peer) {
        return new Task(OperationType.SCALE_DOWN, peer.toString());
    }

    public static Task replace(PeerName peer) {
        return new Task(OperationType.REPLACE, peer.toString());
    }

    public boolean isRecordedAs(Operation operation) {
        return operation.type() == type && operation.target().equals(target);
    }
}
