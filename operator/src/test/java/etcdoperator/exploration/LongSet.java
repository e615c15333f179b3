package etcdoperator.exploration;

import java.util.Arrays;

/** Hashes of states: millions of them, from several threads. */
final class LongSet {
    private long[] table = new long[1 << 12];
    private int size;
    private boolean hasZero;

    synchronized int size() {
        return size;
    }

    /** @return whether it was not there */
    synchronized boolean add(long value) {
        if (value == 0) {
            boolean fresh = !hasZero;
            hasZero = true;
            size += fresh ? 1 : 0;
            return fresh;
        }
        int at = find(value);
        if (table[at] == value) {
            return false;
        }
        table[at] = value;
        size++;
        if (size * 2 > table.length) {
            grow();
        }
        return true;
    }

    synchronized boolean contains(long value) {
        return value == 0 ? hasZero : table[find(value)] == value;
    }

    private int find(long value) {
        int at = (int) (value ^ (value >>> 32)) & (table.length - 1);
        while (table[at] != 0 && table[at] != value) {
            at = (at + 1) & (table.length - 1);
        }
        return at;
    }

    private void grow() {
        long[] before = table;
        table = new long[before.length * 2];
        Arrays.stream(before).filter(value -> value != 0).forEach(value -> table[find(value)] = value);
    }
}
