package etcdoperator.store;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * A piece of an object, as it is sent. It stays in memory until the store has it.
 *
 * @param number from 1
 * @param offset of its first byte in the object
 * @param bytes maybe longer than the part
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Part(int number, long offset, byte[] bytes, int length) {
    static final int USUAL_SIZE = 8 << 20;

    /** S3 takes no more parts for one object; the others take more. */
    static final int MOST = 10_000;

    private static final int DOUBLED_FROM = 1_001;
    private static final int DOUBLED_AGAIN_FROM = 2_001;

    /**
     * Up to 8 GiB, and few etcds are larger, two parts are 16 MiB. They grow so that 274 GiB fit into the parts there may
     * be, and grow no more, for two of them must fit into the agent's memory.
     */
    static int size(int number) {
        if (number < DOUBLED_FROM) {
            return USUAL_SIZE;
        }
        return number < DOUBLED_AGAIN_FROM ? 2 * USUAL_SIZE : 4 * USUAL_SIZE;
    }

    boolean isFirst() {
        return number == 1;
    }

    long end() {
        return offset + length;
    }

    InputStream stream() {
        return new ByteArrayInputStream(bytes, 0, length);
    }

    ByteBuffer buffer() {
        return ByteBuffer.wrap(bytes, 0, length);
    }
}
