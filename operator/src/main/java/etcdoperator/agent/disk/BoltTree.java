package etcdoperator.agent.disk;

import etcdoperator.agentreport.CorruptSnapshotException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * As much of every page of a database as it takes to find the last revision in the end: eight bytes. Which pages are in
 * use is known only then, so that all are kept.
 */
final class BoltTree {
    private static final String KEYS = "key";
    private static final String META = "meta";
    private static final List<String> COMPACTIONS = List.of("finishedCompactRev", "scheduledCompactRev");

    /** As etcd counts before the first write. */
    private static final long FIRST = 1;

    private static final int BRANCH = 1;
    private static final int REVISIONS = 2;
    private static final int CHUNK = 1 << 16;

    /** Of pages with names in them: those of buckets, users and roles. Nobody has that many. */
    private static final int MOST_NAMED = 10_000;

    private static final int DEEPEST = 64;

    private final List<long @Nullable []> chunks = new ArrayList<>();
    private final Map<Long, long[]> branches = new HashMap<>();
    private final Map<Long, Bucket> keyBuckets = new HashMap<>();
    private final Map<Long, Bucket> metaBuckets = new HashMap<>();
    private final Map<Long, Long> compactions = new HashMap<>();

    /** @param found the revision sought, where the bucket is so small that it is within the page of its parent */
    private record Bucket(long root, long found) {}

    void branch(long page, BoltPage branch) {
        put(page, branch.child(branch.count() - 1), BRANCH);
        // Of the branches that lead to buckets all children are needed. Those of keys and leases would be many.
        long size = branch.keySize(0);
        if (size != EtcdRevision.SIZE && size != EtcdRevision.DELETED_SIZE && size != Long.BYTES) {
            keep(branches, page, children(branch));
        }
    }

    /** @param last the revision in its last key; 0 if it is empty */
    void revisions(long page, long last) {
        put(page, last, REVISIONS);
    }

    /** A leaf whose keys are names. */
    void names(long page, BoltPage leaf) {
        bucket(leaf, KEYS).ifPresent(found -> keep(keyBuckets, page, keys(leaf, found)));
        bucket(leaf, META).ifPresent(found -> keep(metaBuckets, page, meta(leaf, found)));
        long compacted = compacted(leaf);
        if (compacted > 0) {
            keep(compactions, page, compacted);
        }
    }

    /** Gives its memory back. */
    void forget() {
        chunks.clear();
        branches.clear();
    }

    /** @throws CorruptSnapshotException if the tree makes no sense */
    OptionalLong lastRevision(long root) throws CorruptSnapshotException {
        List<Long> leaves = new ArrayList<>();
        if (!collect(root, leaves, 0)) {
            return OptionalLong.empty();
        }
        Bucket keys = bucket(keyBuckets, leaves);
        if (keys == null) {
            throw new CorruptSnapshotException("has no keys of etcd in it");
        }
        Bucket meta = bucket(metaBuckets, leaves);
        // Where all that was deleted last is compacted, too, no key tells of it.
        long compacted = meta == null ? 0 : Math.max(meta.found(), compactions.getOrDefault(meta.root(), 0L));
        long written = keys.root() == 0 ? keys.found() : descend(keys.root());
        return OptionalLong.of(Math.max(FIRST, Math.max(written, compacted)));
    }

    private long descend(long from) throws CorruptSnapshotException {
        long page = from;
        for (int depth = 0; depth < DEEPEST; depth++) {
            long entry = get(page);
            switch ((int) (entry & 3)) {
                case BRANCH -> page = entry >>> 2;
                case REVISIONS -> {
                    return entry >>> 2;
                }
                default -> throw new CorruptSnapshotException("has a tree of keys that leads to no keys");
            }
        }
        throw new CorruptSnapshotException("has a tree of keys without an end");
    }

    /** @return whether all children of all branches are known */
    private boolean collect(long page, List<Long> leaves, int depth) {
        if ((get(page) & 3) != BRANCH) {
            leaves.add(page);
            return true;
        }
        long[] children = branches.get(page);
        if (children == null || depth == DEEPEST) {
            return false;
        }
        for (long child : children) {
            if (!collect(child, leaves, depth + 1)) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable Bucket bucket(Map<Long, Bucket> buckets, List<Long> leaves) {
        for (long leaf : leaves) {
            if (buckets.containsKey(leaf)) {
                return buckets.get(leaf);
            }
        }
        return null;
    }

    private static OptionalInt bucket(BoltPage leaf, String name) {
        OptionalInt found = leaf.find(name);
        return found.isPresent() && leaf.isBucket(found.getAsInt()) ? found : OptionalInt.empty();
    }

    private static Bucket keys(BoltPage leaf, int index) {
        byte[] value = leaf.value(index);
        BoltPage inline = inline(value);
        long last = inline == null || inline.count() == 0 ? 0 : EtcdRevision.lastOf(inline);
        return new Bucket(root(value), Math.max(last, 0));
    }

    private static Bucket meta(BoltPage leaf, int index) {
        byte[] value = leaf.value(index);
        BoltPage inline = inline(value);
        return new Bucket(root(value), inline == null ? 0 : compacted(inline));
    }

    private static long root(byte[] bucket) {
        return bucket.length < BoltPage.HEADER ? 0 : new BoltPage(bucket, 0, bucket.length).id();
    }

    /** A bucket's value is where its root is; or, if that says 0, the root itself follows. */
    private static @Nullable BoltPage inline(byte[] bucket) {
        if (bucket.length < 2 * BoltPage.HEADER || root(bucket) != 0) {
            return null;
        }
        var page = new BoltPage(bucket, BoltPage.HEADER, bucket.length);
        return page.isLeaf() ? page : null;
    }

    private static long compacted(BoltPage leaf) {
        long most = 0;
        for (String name : COMPACTIONS) {
            OptionalInt found = leaf.find(name);
            byte[] value = found.isPresent() ? leaf.value(found.getAsInt()) : new byte[0];
            if (value.length == EtcdRevision.SIZE) {
                most = Math.max(most, EtcdRevision.read(value, 0));
            }
        }
        return most;
    }

    private static long[] children(BoltPage branch) {
        long[] children = new long[branch.count()];
        for (int i = 0; i < children.length; i++) {
            children[i] = branch.child(i);
        }
        return children;
    }

    private static <T> void keep(Map<Long, T> pages, long page, T value) {
        if (pages.size() < MOST_NAMED) {
            pages.put(page, value);
        }
    }

    private void put(long page, long value, int kind) {
        int chunk = (int) (page / CHUNK);
        while (chunks.size() <= chunk) {
            chunks.add(null);
        }
        long[] entries = chunks.get(chunk);
        if (entries == null) {
            entries = new long[CHUNK];
            chunks.set(chunk, entries);
        }
        entries[(int) (page % CHUNK)] = value << 2 | kind;
    }

    private long get(long page) {
        long[] entries = page < 0 || page / CHUNK >= chunks.size() ? null : chunks.get((int) (page / CHUNK));
        return entries == null ? 0 : entries[(int) (page % CHUNK)];
    }
}
