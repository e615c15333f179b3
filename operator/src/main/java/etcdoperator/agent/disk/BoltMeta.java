package etcdoperator.agent.disk;

import java.util.Optional;

/**
 * One of the two pages from which bbolt finds everything else; they are written in turns, so that one is always whole.
 *
 * @param root of the bucket that holds all others
 * @param pages so many are in use or were; behind them a file may be longer
 */
public record BoltMeta(int pageSize, long root, long pages, long transaction) {
    /** How many bytes of a page it takes, the page's own header included. */
    public static final int LENGTH = BoltPage.HEADER + 64;

    private static final int MAGIC = 0xED0CDAED;
    private static final int VERSION = 2;
    private static final int SUMMED = 56;

    /** Empty if it was written in part. */
    static Optional<BoltMeta> read(BoltPage page) {
        int at = page.start() + BoltPage.HEADER;
        if (!page.isMeta()
                || page.intAt(at) != MAGIC
                || page.intAt(at + 4) != VERSION
                || page.longAt(at + SUMMED) != sum(page.bytes(), at)) {
            return Optional.empty();
        }
        return Optional.of(
                new BoltMeta(page.intAt(at + 8), page.longAt(at + 16), page.longAt(at + 40), page.longAt(at + 48)));
    }

    /** Whether bytes begin as a database of bbolt does. */
    public static boolean begins(byte[] bytes) {
        return bytes.length >= LENGTH
                && new BoltPage(bytes, 0, bytes.length).isMeta()
                && new BoltPage(bytes, 0, bytes.length).intAt(BoltPage.HEADER) == MAGIC;
    }

    /** FNV-1a, of 64 bits. */
    private static long sum(byte[] bytes, int from) {
        long sum = 0xcbf29ce484222325L;
        for (int i = from; i < from + SUMMED; i++) {
            sum = (sum ^ (bytes[i] & 0xff)) * 0x100000001b3L;
        }
        return sum;
    }
}
