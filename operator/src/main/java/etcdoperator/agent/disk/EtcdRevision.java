package etcdoperator.agent.disk;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** A revision as etcd writes it: eight bytes, an underscore, eight bytes for the place within it; a t if it deletes. */
final class EtcdRevision {
    static final int SIZE = 17;
    static final int DELETED_SIZE = 18;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN)
            .withInvokeExactBehavior();

    private EtcdRevision() {}

    /** @return -1 if there is none */
    static long read(byte[] bytes, int at) {
        long main = (long) LONG.get(bytes, at);
        return bytes[at + Long.BYTES] == '_' && main > 0 && main < 1L << 61 ? main : -1;
    }

    static boolean hasSize(long bytes) {
        return bytes == SIZE || bytes == DELETED_SIZE;
    }

    /** Of a page that is there as a whole, and has at least one element; -1 if its last key is no revision. */
    static long lastOf(BoltPage leaf) {
        int last = leaf.count() - 1;
        long at = leaf.start() + leaf.keyAt(last);
        return hasSize(leaf.keySize(last)) && at + SIZE <= leaf.end() ? read(leaf.bytes(), (int) at) : -1;
    }
}
