package io.improbable.etcd.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.improbable.etcd.api.EtcdPeer;
import java.util.Map;

/** One thing done to the world. A crash may come between any two; the next pass repairs what is missing. */
public sealed interface Effect {
    /** Takes the lock: nothing else of an operation happens before it. */
    record RecordOperation(Operation operation) implements Effect {}

    record Create(HasMetadata object) implements Effect {}

    record Apply(HasMetadata object) implements Effect {}

    record ReplacePeer(EtcdPeer peer) implements Effect {}

    record Annotate(HasMetadata object, Map<String, String> annotations) implements Effect {}
}
