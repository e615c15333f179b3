package etcdoperator.agentreport;

import java.io.IOException;

/** These bytes are no snapshot, or no longer the one they were. The message goes on after the name of what was read. */
public final class CorruptSnapshotException extends IOException {
    public CorruptSnapshotException(String why) {
        super(why);
    }
}
