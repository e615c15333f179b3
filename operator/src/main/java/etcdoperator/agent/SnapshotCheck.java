package etcdoperator.agent;

import etcdoperator.agent.disk.BoltPages;
import etcdoperator.agentreport.CorruptSnapshotException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.OptionalLong;

/** Looks at a snapshot while it flows by: a database, and at its end the hash that etcd made of it. */
final class SnapshotCheck {
    static final int HASH = 32;

    /** What etcd itself takes for a sign that there is a hash. */
    private static final int SECTOR = 512;

    private final MessageDigest digest = sha256();
    private final BoltPages pages = new BoltPages();
    /** What may be the hash: of what has come so far, the end. */
    private final byte[] end = new byte[HASH];

    private int held;
    private long size;

    /**
     * @param sha256 of all of it, the hash at its end included
     * @param revision the last one it holds; empty if it is too large to tell
     */
    record Found(long sizeBytes, String sha256, OptionalLong revision) {}

    void update(byte[] bytes, int from, int length) {
        size += length;
        int surplus = held + length - HASH;
        int old = Math.clamp(surplus, 0, held);
        take(end, 0, old);
        System.arraycopy(end, old, end, 0, held - old);
        held -= old;
        int fresh = Math.max(surplus - old, 0);
        take(bytes, from, fresh);
        System.arraycopy(bytes, from + fresh, end, held, length - fresh);
        held += length - fresh;
    }

    /** @throws CorruptSnapshotException in words that go on after the name of what was read */
    Found verify() throws CorruptSnapshotException {
        if (size % SECTOR != HASH) {
            throw new CorruptSnapshotException(
                    "is no snapshot as 'etcdctl snapshot save' writes it, with a hash at its end: it has " + size
                            + " bytes, and a snapshot has a multiple of " + SECTOR + " and " + HASH);
        }
        String whole = sha256OfAll();
        if (!Arrays.equals(digest.digest(), end)) {
            throw new CorruptSnapshotException(
                    "is corrupt: its content does not fit the hash that etcd put at its end");
        }
        return new Found(size, whole, pages.lastRevision());
    }

    /** Goes on where the hash of the database ends: to hash a large database twice takes its time. */
    private String sha256OfAll() {
        try {
            MessageDigest whole = (MessageDigest) digest.clone();
            return HexFormat.of().formatHex(whole.digest(end));
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("Java's own SHA-256 can be cloned", e);
        }
    }

    private void take(byte[] bytes, int from, int length) {
        if (length > 0) {
            digest.update(bytes, from, length);
            pages.update(bytes, from, length);
        }
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
