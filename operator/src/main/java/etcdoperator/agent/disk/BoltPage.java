package etcdoperator.agent.disk;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * A page of bbolt's, in which etcd keeps its database: a header, a table of elements, and behind it their keys and
 * values. Nothing in it is trusted, for a page that is free holds what was there before, or the middle of a large value.
 *
 * @param start where it begins in the bytes; pages within pages are small buckets
 * @param end how much of it is there: what is larger than a page goes on behind it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record BoltPage(byte[] bytes, int start, int end) {
    static final int HEADER = 16;
    private static final int ELEMENT = 16;
    private static final int BRANCH = 0x01;
    private static final int LEAF = 0x02;
    private static final int META = 0x04;
    private static final int BUCKET = 0x01;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    long id() {
        return longAt(start);
    }

    boolean isBranch() {
        return flags() == BRANCH && fits();
    }

    boolean isLeaf() {
        return flags() == LEAF && fits();
    }

    boolean isMeta() {
        return flags() == META;
    }

    private int flags() {
        return Short.toUnsignedInt((short) SHORT.get(bytes, start + 8));
    }

    int count() {
        return Short.toUnsignedInt((short) SHORT.get(bytes, start + 10));
    }

    /** How many more pages belong to this one. */
    long overflow() {
        return Integer.toUnsignedLong(intAt(start + 12));
    }

    /** etcd's keys are far longer than an element, so that every table of its is on the first page. */
    private boolean fits() {
        return start + HEADER + count() * ELEMENT <= end;
    }

    long child(int index) {
        return longAt(element(index) + 8);
    }

    /** From the start of the page; it may be behind what is there. */
    long keyAt(int index) {
        int element = element(index);
        long position = Integer.toUnsignedLong(intAt(isBranch() ? element : element + 4));
        return element - start + position;
    }

    long keySize(int index) {
        int element = element(index);
        return Integer.toUnsignedLong(intAt(isBranch() ? element + 4 : element + 8));
    }

    private long valueSize(int index) {
        return Integer.toUnsignedLong(intAt(element(index) + 12));
    }

    /** Which element has this key, of those that are there. */
    OptionalInt find(String key) {
        byte[] wanted = key.getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < count(); i++) {
            long at = start + keyAt(i);
            if (keySize(i) == wanted.length
                    && at + wanted.length <= end
                    && Arrays.equals(bytes, (int) at, (int) at + wanted.length, wanted, 0, wanted.length)) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }

    boolean isBucket(int index) {
        return (intAt(element(index)) & BUCKET) != 0;
    }

    /** Empty if it is not there to its end. */
    byte[] value(int index) {
        long from = start + keyAt(index) + keySize(index);
        long to = from + valueSize(index);
        return to <= end ? Arrays.copyOfRange(bytes, (int) from, (int) to) : new byte[0];
    }

    private int element(int index) {
        return start + HEADER + index * ELEMENT;
    }

    long longAt(int position) {
        return (long) LONG.get(bytes, position);
    }

    int intAt(int position) {
        return (int) INT.get(bytes, position);
    }
}
