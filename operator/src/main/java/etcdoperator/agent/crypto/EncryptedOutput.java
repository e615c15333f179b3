package etcdoperator.agent.crypto;

import java.io.IOException;
import java.io.OutputStream;

/** Encrypts what is written to it. Without {@link #close} the end is missing, and no reader will take it for whole. */
public final class EncryptedOutput extends OutputStream {
    private final OutputStream out;
    private final Frames frames;
    private final byte[] plain = new byte[Frames.SIZE];
    private final byte[] sealed = new byte[Frames.SIZE + Frames.TAG];
    private int filled;
    private boolean closed;

    public EncryptedOutput(OutputStream out, EncryptionKey key) throws IOException {
        this.out = out;
        EncryptionHeader header = key.newHeader();
        this.frames = Frames.encrypting(key, header);
        out.write(header.bytes());
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        int at = from;
        while (at < from + length) {
            // Only when more is to come: the last frame must be known as such.
            if (filled == plain.length) {
                send(false);
            }
            int some = Math.min(from + length - at, plain.length - filled);
            System.arraycopy(bytes, at, plain, filled, some);
            filled += some;
            at += some;
        }
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            send(true);
            out.close();
        }
    }

    private void send(boolean last) throws IOException {
        out.write(sealed, 0, frames.next(plain, filled, last, sealed));
        filled = 0;
    }
}
