package io.improbable.etcd.agent;

import java.io.IOException;

/** These bytes are no snapshot, or no longer the one they were. The message goes on after the name of what was read. */
final class CorruptSnapshotException extends IOException {
    CorruptSnapshotException(String why) {
        super(why);
    }
}
