package io.improbable.etcd.agent;

import java.security.MessageDigest;
import java.util.HexFormat;

/** Counts and hashes the bytes of an object as it is in its store. Any thread may ask for the count. */
final class Tally {
    private final MessageDigest digest = SnapshotCheck.sha256();
    private volatile long count;

    // One thread writes.
    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    void add(byte[] bytes, int from, int length) {
        digest.update(bytes, from, length);
        count += length;
    }

    long count() {
        return count;
    }

    /** Once, at the end. */
    String sha256() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
