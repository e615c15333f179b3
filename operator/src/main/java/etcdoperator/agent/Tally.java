package etcdoperator.agent;

import java.security.MessageDigest;
import java.util.HexFormat;

/** Counts and hashes the bytes of an object as it is in its store. Any thread may ask for the count. */
final class Tally {
    private final MessageDigest digest = SnapshotCheck.sha256();
    private boolean hashed = true;
    private volatile long count;

    // One thread writes.
    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    void add(byte[] bytes, int from, int length) {
        if (hashed) {
            digest.update(bytes, from, length);
        }
        count += length;
    }

    /** For an object that is hashed elsewhere: to do it twice takes its time. */
    void onlyCount() {
        hashed = false;
    }

    boolean isHashed() {
        return hashed;
    }

    long count() {
        return count;
    }

    /** Once, at the end. */
    String sha256() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
