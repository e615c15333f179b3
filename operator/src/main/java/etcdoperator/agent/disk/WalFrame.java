package etcdoperator.agent.disk;

import etcdoperator.agent.disk.proto.WalRecord;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The length before each record of the log: 56 bits for the record, and in the uppermost byte, if its sign is set, how
 * many bytes follow the record so that the next one begins at a multiple of eight.
 */
record WalFrame(long recordBytes, int padding) {
    static final int HEADER = Long.BYTES;

    private static final int UPPERMOST = 56;

    static WalFrame of(long header) {
        return new WalFrame(header & ~(0xffL << UPPERMOST), header < 0 ? (int) (header >>> UPPERMOST) & 7 : 0);
    }

    long bytes() {
        return recordBytes + padding;
    }

    static byte[] around(WalRecord record) {
        byte[] bytes = record.toByteArray();
        int padding = (8 - bytes.length % 8) % 8;
        long header = padding == 0 ? bytes.length : bytes.length | (0x80L | padding) << UPPERMOST;
        return ByteBuffer.allocate(HEADER + bytes.length + padding)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(header)
                .put(bytes)
                .array();
    }
}
