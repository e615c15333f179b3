package etcdoperator.agent.disk;

import java.io.IOException;

/** A member's disk that no cluster can be made of. The message goes on after the name of its claim. */
public final class UnusableDiskException extends IOException {
    UnusableDiskException(String message) {
        super(message);
    }
}
