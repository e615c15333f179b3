package etcdoperator.training;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;

/** A snapshot of an etcd that has one key: as bbolt writes it, and large enough for an upload in several parts. */
final class SmallDatabase {
    private static final int PAGE = 4096;
    private static final int PAGES = 6 << 10;
    private static final int LEAF = 2;
    private static final int META = 4;
    private static final int HASH = 32;

    private SmallDatabase() {}

    static byte[] snapshot() throws GeneralSecurityException {
        ByteBuffer file = ByteBuffer.allocate(PAGES * PAGE + HASH).order(ByteOrder.LITTLE_ENDIAN);
        meta(file, 0);
        meta(file, 1);
        ByteBuffer keys = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN).putLong(0, 3);
        leaf(file, 2, "key".getBytes(US_ASCII), 1, keys.array(), 0);
        byte[] revision = ByteBuffer.allocate(17).putLong(2).put((byte) '_').array();
        leaf(file, 3, revision, 0, new byte[(PAGES - 4) * PAGE], PAGES - 4);
        var sha256 = MessageDigest.getInstance("SHA-256");
        sha256.update(file.array(), 0, PAGES * PAGE);
        return file.put(PAGES * PAGE, sha256.digest()).array();
    }

    private static void meta(ByteBuffer file, int page) {
        int at = page * PAGE + 16;
        header(file, page, META, 0, 0);
        file.putInt(at, 0xED0CDAED).putInt(at + 4, 2).putInt(at + 8, PAGE).putLong(at + 16, 2);
        file.putLong(at + 40, PAGES).putLong(at + 48, 7 - page);
        long sum = 0xcbf29ce484222325L;
        for (int i = at; i < at + 56; i++) {
            sum = (sum ^ (file.get(i) & 0xff)) * 0x100000001b3L;
        }
        file.putLong(at + 56, sum);
    }

    /** With one element; the value is at its end, or a little of it. */
    private static void leaf(ByteBuffer file, int page, byte[] key, int flags, byte[] value, int overflow) {
        int at = page * PAGE + 16;
        header(file, page, LEAF, 1, overflow);
        file.putInt(at, flags).putInt(at + 4, 16).putInt(at + 8, key.length).putInt(at + 12, value.length);
        file.put(at + 16, key);
        file.put(at + 16 + key.length, value, 0, Math.min(value.length, PAGE));
    }

    private static void header(ByteBuffer file, int page, int flags, int count, int overflow) {
        int at = page * PAGE;
        file.putLong(at, page)
                .putShort(at + 8, (short) flags)
                .putShort(at + 10, (short) count)
                .putInt(at + 12, overflow);
    }
}
