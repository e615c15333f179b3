package etcdoperator.agent;

import etcdoperator.agent.crypto.EncryptedInput;
import etcdoperator.agent.crypto.EncryptionHeader;
import etcdoperator.agent.crypto.EncryptionKey;
import etcdoperator.agent.disk.BoltMeta;
import etcdoperator.agentreport.AgentException;
import etcdoperator.agentreport.CorruptSnapshotException;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * A snapshot as it is read from a store. What was done to it is told by its first bytes: people rename objects, and
 * bring their own.
 *
 * @param content as etcd gave it
 */
record StoredForm(InputStream content, Compression compression, boolean encrypted) {
    private static final int BUFFER = 64 << 10;

    /** As much as it takes to know a database of etcd. */
    private static final int PEEK = BoltMeta.LENGTH;

    /**
     * @throws CorruptSnapshotException if it is nothing that we know
     * @throws AgentException if there is no key, or another one
     */
    static StoredForm open(InputStream stored, Optional<EncryptionKey> key) throws IOException, AgentException {
        var outer = new PushbackInputStream(stored, PEEK);
        boolean encrypted = EncryptionHeader.begins(peek(outer));
        if (encrypted && key.isEmpty()) {
            throw AgentException.fatal("it is encrypted, and no key is given: name its Secret in encryption.keySecret");
        }
        var middle = encrypted ? new PushbackInputStream(new EncryptedInput(outer, key.orElseThrow()), PEEK) : outer;
        boolean zipped = isGzip(peek(middle));
        var inner = zipped ? new PushbackInputStream(new Unzipped(middle), PEEK) : middle;
        if (!BoltMeta.begins(peek(inner))) {
            throw new CorruptSnapshotException("is no snapshot of etcd's: its first bytes are those of something else");
        }
        return new StoredForm(inner, zipped ? Compression.GZIP : Compression.NONE, encrypted);
    }

    /** Whether it is stored as etcd gave it. */
    boolean isPlain() {
        return compression == Compression.NONE && !encrypted;
    }

    private static byte[] peek(PushbackInputStream in) throws IOException {
        byte[] first = in.readNBytes(PEEK);
        in.unread(first);
        return first;
    }

    private static boolean isGzip(byte[] first) {
        return first.length > 1 && first[0] == 0x1f && (first[1] & 0xff) == 0x8b;
    }

    /** Says in our words what is wrong with it. */
    private static final class Unzipped extends FilterInputStream {
        Unzipped(InputStream zipped) throws IOException {
            super(new GZIPInputStream(zipped, BUFFER));
        }

        @Override
        public int read(byte[] into, int from, int most) throws IOException {
            try {
                return super.read(into, from, most);
            } catch (ZipException | EOFException e) {
                throw new CorruptSnapshotException("is corrupt: it cannot be decompressed to its end");
            }
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }
    }
}
