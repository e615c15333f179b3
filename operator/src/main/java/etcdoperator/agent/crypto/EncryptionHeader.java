package etcdoperator.agent.crypto;

import etcdoperator.agentreport.CorruptSnapshotException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What stands before encrypted bytes.
 *
 * @param salt makes the key of this object another than that of every other
 * @param proof tells a wrong key from a damaged object
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record EncryptionHeader(byte[] salt, byte[] proof) {
    /** The last byte is the version of the format. */
    private static final byte[] MAGIC = "ETCDENC\1".getBytes(StandardCharsets.US_ASCII);

    public static final int LENGTH = MAGIC.length + 32 + 16;

    /** Whether bytes begin so, in this version of the format or in one to come. */
    public static boolean begins(byte[] bytes) {
        int name = MAGIC.length - 1;
        return bytes.length >= name && Arrays.equals(bytes, 0, name, MAGIC, 0, name);
    }

    byte[] bytes() {
        byte[] bytes = Arrays.copyOf(MAGIC, LENGTH);
        System.arraycopy(salt, 0, bytes, MAGIC.length, salt.length);
        System.arraycopy(proof, 0, bytes, MAGIC.length + salt.length, proof.length);
        return bytes;
    }

    static EncryptionHeader parse(byte[] bytes) throws CorruptSnapshotException {
        if (bytes.length < LENGTH) {
            throw new CorruptSnapshotException("is corrupt: it ends within its first bytes");
        }
        if (bytes[MAGIC.length - 1] != MAGIC[MAGIC.length - 1]) {
            throw new CorruptSnapshotException(
                    "is encrypted by a newer version of this operator: use that version to read it");
        }
        int middle = MAGIC.length + 32;
        return new EncryptionHeader(
                Arrays.copyOfRange(bytes, MAGIC.length, middle), Arrays.copyOfRange(bytes, middle, LENGTH));
    }
}
