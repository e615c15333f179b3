package etcdoperator.agent.disk;

import static java.util.Comparator.comparingLong;

import etcdoperator.agentreport.CorruptSnapshotException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the last revision in a database while it flows by; etcd does not tell it with a snapshot, and what its status
 * tells is of another moment. Pages come in the order of the file, parents before and behind their children, and those
 * that are free come, too: so a little is kept of each, and only the walk from the root says in the end what counts.
 */
public final class BoltPages {
    /** etcd advises against more than 8 GiB; what is kept of more would take memory that the upload needs. */
    private static final long LARGEST = 10L << 30;

    private static final int USUAL_SIZE = 4096;
    private static final int SMALLEST_SIZE = 1024;
    private static final int LARGEST_SIZE = 64 << 10;

    /** Before each page the end of the one before is kept: keys may begin there. */
    private static final int BEFORE = 32;

    /** Pages that are free may name any number of places; no database in use comes close. */
    private static final int MOST_WANTED = 100_000;

    private final BoltTree tree = new BoltTree();
    private final PriorityQueue<Wanted> wanted = new PriorityQueue<>(comparingLong(Wanted::position));
    private final @Nullable BoltMeta[] metas = new BoltMeta[2];
    private byte[] page = new byte[BEFORE + SMALLEST_SIZE];
    private int size = SMALLEST_SIZE;
    private boolean sized;
    private int filled;
    private long number;

    /** The key of a page's last element, where a large value lies between it and its page. */
    private record Wanted(long position, long page) {}

    public void update(byte[] bytes, int from, int length) {
        int at = from;
        while (at < from + length && !isTooLarge()) {
            if (sized && filled == 0 && from + length - at >= size && !isAnyWanted()) {
                look(new BoltPage(bytes, at, at + size));
                at += size;
                next(bytes, at);
                continue;
            }
            int some = Math.min(from + length - at, size - filled);
            System.arraycopy(bytes, at, page, BEFORE + filled, some);
            filled += some;
            at += some;
            if (filled == size && sized) {
                turn();
            } else if (filled == size) {
                takeSize();
            }
        }
    }

    /**
     * @return empty if the database is too large for that
     * @throws CorruptSnapshotException if this is no database of etcd's, or not all of it
     */
    public OptionalLong lastRevision() throws CorruptSnapshotException {
        BoltMeta meta = Stream.of(metas)
                .flatMap(found -> Optional.ofNullable(found).stream())
                .max(comparingLong(BoltMeta::transaction))
                .orElseThrow(() -> new CorruptSnapshotException("is no database of etcd"));
        if (isTooLarge()) {
            return OptionalLong.empty();
        }
        if (meta.pageSize() != size || meta.pages() > number) {
            throw new CorruptSnapshotException("is not all there: its database has " + meta.pages() + " pages of "
                    + meta.pageSize() + " bytes, and " + number + " have come");
        }
        return tree.lastRevision(meta.root());
    }

    /** The first page says how large pages are; if it was written in part, they are most likely as large as usual. */
    private void takeSize() {
        int told = BoltMeta.read(new BoltPage(page, BEFORE, page.length))
                .map(BoltMeta::pageSize)
                .orElse(USUAL_SIZE);
        boolean plausible = Integer.bitCount(told) == 1 && told >= SMALLEST_SIZE && told <= LARGEST_SIZE;
        size = plausible ? told : USUAL_SIZE;
        sized = true;
        byte[] whole = new byte[BEFORE + size];
        System.arraycopy(page, BEFORE, whole, BEFORE, filled);
        page = whole;
        if (filled == size) {
            turn();
        }
    }

    private void turn() {
        grant();
        look(new BoltPage(page, BEFORE, page.length));
        next(page, page.length);
    }

    /** @param end of the page that was looked at, in these bytes */
    private void next(byte[] bytes, int end) {
        System.arraycopy(bytes, end - BEFORE, page, 0, BEFORE);
        number++;
        filled = 0;
        if (isTooLarge()) {
            tree.forget();
            wanted.clear();
        }
    }

    private boolean isTooLarge() {
        return number * size >= LARGEST;
    }

    private void look(BoltPage found) {
        if (found.id() != number) {
            return;
        }
        if (number < metas.length) {
            metas[(int) number] = BoltMeta.read(found).orElse(null);
        } else if (found.isBranch() && found.count() > 0) {
            tree.branch(number, found);
        } else if (found.isLeaf() && found.count() == 0) {
            tree.revisions(number, 0);
        } else if (found.isLeaf() && EtcdRevision.hasSize(found.keySize(found.count() - 1))) {
            lookForLast(found);
        } else if (found.isLeaf()) {
            tree.names(number, found);
        }
    }

    private void lookForLast(BoltPage leaf) {
        long at = leaf.keyAt(leaf.count() - 1);
        if (at + EtcdRevision.SIZE <= size) {
            long last = EtcdRevision.lastOf(leaf);
            if (last > 0) {
                tree.revisions(number, last);
            } else {
                tree.names(number, leaf);
            }
        } else if (at < (leaf.overflow() + 1) * size && wanted.size() < MOST_WANTED) {
            wanted.add(new Wanted(number * size + at, number));
        }
    }

    /** Whether this page has a key that another has pointed to: only then its bytes are needed in one piece with the last. */
    private boolean isAnyWanted() {
        Wanted next = wanted.peek();
        return next != null && next.position() + EtcdRevision.SIZE <= (number + 1) * size;
    }

    /** Reads the keys that other pages have pointed to and that are here. */
    private void grant() {
        long start = number * size;
        for (Wanted next = wanted.peek();
                next != null && next.position() + EtcdRevision.SIZE <= start + size;
                next = wanted.peek()) {
            long last = EtcdRevision.read(page, BEFORE + (int) (next.position() - start));
            if (last > 0) {
                tree.revisions(next.page(), last);
            }
            wanted.remove();
        }
    }
}
