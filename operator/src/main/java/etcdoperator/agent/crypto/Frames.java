package etcdoperator.agent.crypto;

import etcdoperator.agentreport.CorruptSnapshotException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Encrypts or decrypts frame by frame, so that little is in memory and nothing is given out before it is known to be
 * genuine. The nonce of a frame is its number and whether it is the last: none can be left out, moved, or cut off.
 */
public final class Frames {
    /** Of what is encrypted; the last is shorter. */
    public static final int SIZE = 64 << 10;

    public static final int TAG = 16;
    private static final int NONCE = 12;

    private final int mode;
    private final SecretKey key;
    private final byte[] header;
    private final Cipher cipher;
    private int number;

    private Frames(int mode, SecretKey key, EncryptionHeader header) {
        this.mode = mode;
        this.key = key;
        this.header = header.bytes();
        try {
            this.cipher = Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has AES", e);
        }
    }

    static Frames encrypting(EncryptionKey key, EncryptionHeader header) {
        return new Frames(Cipher.ENCRYPT_MODE, key.keyFor(header), header);
    }

    static Frames decrypting(EncryptionKey key, EncryptionHeader header) {
        return new Frames(Cipher.DECRYPT_MODE, key.keyFor(header), header);
    }

    /** @return how many bytes came out */
    int next(byte[] in, int length, boolean last, byte[] out) throws CorruptSnapshotException {
        byte[] nonce = ByteBuffer.allocate(NONCE)
                .putInt(number)
                .put(NONCE - 1, (byte) (last ? 1 : 0))
                .array();
        if (number++ == -1) {
            throw new IllegalStateException("no nonce may come twice"); // after 256 TiB
        }
        try {
            cipher.init(mode, key, new GCMParameterSpec(TAG * Byte.SIZE, nonce));
            cipher.updateAAD(header);
            return cipher.doFinal(in, 0, length, out, 0);
        } catch (AEADBadTagException e) {
            throw new CorruptSnapshotException("is corrupt: what was encrypted has been changed or cut off since");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has AES", e);
        }
    }
}
