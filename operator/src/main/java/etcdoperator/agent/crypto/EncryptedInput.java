package etcdoperator.agent.crypto;

import etcdoperator.agentreport.AgentException;
import etcdoperator.agentreport.CorruptSnapshotException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Objects;

/** Decrypts what it reads, and says so if it is not what was written. */
public final class EncryptedInput extends InputStream {
    private final PushbackInputStream in;
    private final Frames frames;
    private final byte[] sealed = new byte[Frames.SIZE + Frames.TAG];
    private final byte[] plain = new byte[Frames.SIZE];
    private int filled;
    private int used;
    private boolean ended;

    /** @throws AgentException if the key is another one */
    public EncryptedInput(InputStream in, EncryptionKey key) throws IOException, AgentException {
        EncryptionHeader header = EncryptionHeader.parse(in.readNBytes(EncryptionHeader.LENGTH));
        if (!key.fits(header)) {
            throw AgentException.fatal(
                    "it was encrypted with another key than the one given:" + " name the Secret that it was made with");
        }
        this.in = new PushbackInputStream(in);
        this.frames = Frames.decrypting(key, header);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
        Objects.checkFromIndexSize(from, most, into.length);
        if (most == 0) {
            return 0;
        }
        if (used == filled && !ended) {
            open();
        }
        int some = Math.min(most, filled - used);
        if (some == 0) {
            return -1;
        }
        System.arraycopy(plain, used, into, from, some);
        used += some;
        return some;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private void open() throws IOException {
        int length = in.readNBytes(sealed, 0, sealed.length);
        if (length < Frames.TAG) {
            throw new CorruptSnapshotException("is corrupt: its end is missing");
        }
        int next = in.read();
        ended = next < 0;
        if (!ended) {
            in.unread(next);
        }
        used = 0;
        filled = frames.next(sealed, length, ended, plain);
    }
}
