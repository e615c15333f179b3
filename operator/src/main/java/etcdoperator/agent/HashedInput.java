package etcdoperator.agent;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** Adds to a database what etcd adds to it: its hash. */
final class HashedInput extends FilterInputStream {
    private final MessageDigest digest = SnapshotCheck.sha256();
    private byte @Nullable [] hash;
    private int used;

    HashedInput(InputStream database) {
        super(database);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
        if (hash == null) {
            int some = super.read(into, from, most);
            if (some >= 0) {
                digest.update(into, from, some);
                return some;
            }
            hash = digest.digest();
        }
        int some = Math.min(most, hash.length - used);
        if (some == 0) {
            return most == 0 ? 0 : -1;
        }
        System.arraycopy(hash, used, into, from, some);
        used += some;
        return some;
    }
}
