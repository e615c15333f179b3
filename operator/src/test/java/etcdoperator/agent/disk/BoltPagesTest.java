package etcdoperator.agent.disk;

import static etcdoperator.agent.BoltFile.bucket;
import static etcdoperator.agent.BoltFile.compacted;
import static etcdoperator.agent.BoltFile.deletion;
import static etcdoperator.agent.BoltFile.inlineBucket;
import static etcdoperator.agent.BoltFile.revision;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.agent.BoltFile;
import etcdoperator.agent.BoltFile.Element;
import etcdoperator.agentreport.CorruptSnapshotException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class BoltPagesTest {
    private static final byte[] A_REVISION = revision(1, 0).key();

    private final BoltFile file = new BoltFile();

    @Test
    void anEmptyEtcdIsAtItsFirstRevision() throws CorruptSnapshotException {
        assertThat(revisionOf(file.withRoot(file.leaf(inlineBucket("key"))))).isEqualTo(1);
        var other = new BoltFile();
        int keys = other.leaf();
        assertThat(revisionOf(other.withRoot(other.leaf(bucket("key", keys))))).isEqualTo(1);
    }

    @Test
    void aFewKeysAreWithinThePageOfTheirParent() throws CorruptSnapshotException {
        int root = file.leaf(
                inlineBucket("alarm"), inlineBucket("key", revision(2, 5), deletion(3)), inlineBucket("lease"));
        assertThat(revisionOf(file.withRoot(root))).isEqualTo(3);
    }

    @Test
    void aTreeIsFollowedToItsLastLeaf() throws CorruptSnapshotException {
        int first = file.leaf(revision(2, 5), revision(3, 5));
        int second = file.leaf(revision(4, 5), revision(5, 5));
        int left = file.branch(A_REVISION, first);
        int right = file.branch(A_REVISION, first, second);
        int keys = file.branch(A_REVISION, left, right);
        assertThat(revisionOf(file.withRoot(file.leaf(bucket("key", keys))))).isEqualTo(5);
    }

    @Test
    void largeValuesLieBetweenAPageAndItsLastKey() throws CorruptSnapshotException {
        for (int size = 3900; size < 9000; size += 7) {
            var large = new BoltFile();
            int keys = large.leaf(revision(2, size), revision(3, 1_500_000));
            assertThat(revisionOf(large.withRoot(large.leaf(bucket("key", keys)))))
                    .as("a value of %d bytes", size)
                    .isEqualTo(3);
        }
    }

    @Test
    void whatIsFreeDoesNotCount() throws CorruptSnapshotException {
        int keys = file.leaf(revision(2, 5), revision(30, 5));
        file.leaf(revision(40, 5), revision(99, 9000));
        file.leaf(bucket("key", file.leaf(revision(98, 5))));
        int root = file.leaf(bucket("key", keys));
        file.leaf(bucket("key", file.leaf(revision(97, 5))));
        assertThat(revisionOf(file.withRoot(root))).isEqualTo(30);
    }

    /** A page that was the first of many once, and whose others are in use again. */
    @Test
    void aPageThatIsFreeHidesNobody() throws CorruptSnapshotException {
        int free = file.raw(new byte[1]);
        int keys = file.leaf(revision(2, 5), revision(30, 5));
        int root = file.leaf(bucket("key", keys));
        int large = file.leaf(revision(50, 9000), revision(51, 9000));
        file.replace(free, large);
        assertThat(revisionOf(file.withRoot(root))).isEqualTo(30);
    }

    @Test
    void bucketsMayTakeMoreThanAPage() throws CorruptSnapshotException {
        int keys = file.leaf(revision(2, 5), revision(12, 5));
        int first = file.leaf(inlineBucket("alarm"), inlineBucket("auth"));
        int second = file.leaf(bucket("key", keys), inlineBucket("lease"));
        int third = file.leaf(inlineBucket("meta", compacted(4)));
        int root = file.branch("alarm".getBytes(StandardCharsets.US_ASCII), first, second, third);
        assertThat(revisionOf(file.withRoot(root))).isEqualTo(12);
    }

    @Test
    void whereTheLastWereDeletedAndCompactedTheCompactionCounts() throws CorruptSnapshotException {
        int root = file.leaf(inlineBucket("key", revision(2, 5)), inlineBucket("meta", compacted(9)));
        assertThat(revisionOf(file.withRoot(root))).isEqualTo(9);
        var other = new BoltFile();
        int meta =
                other.leaf(compacted(10), new Element("term".getBytes(StandardCharsets.US_ASCII), new byte[8], false));
        assertThat(revisionOf(other.withRoot(other.leaf(inlineBucket("key", revision(2, 5)), bucket("meta", meta)))))
                .isEqualTo(10);
    }

    @Test
    void theNewerOfTwoBeginningsCountsAndOneMayBeBroken() throws CorruptSnapshotException {
        int old = file.leaf(inlineBucket("key", revision(2, 5)));
        int fresh = file.leaf(inlineBucket("key", revision(3, 5)));
        byte[] both = file.withRoot(old);
        System.arraycopy(file.meta(1, fresh, 8), 0, both, BoltFile.PAGE, BoltFile.PAGE);
        assertThat(revisionOf(both)).isEqualTo(3);
        both[BoltFile.PAGE + 40]++;
        assertThat(revisionOf(both)).isEqualTo(2);
        System.arraycopy(file.meta(1, fresh, 8), 0, both, BoltFile.PAGE, BoltFile.PAGE);
        both[40]++;
        assertThat(revisionOf(both)).isEqualTo(3);
    }

    @Test
    void nonsenseIsNoDatabase() {
        assertThatThrownBy(() -> revisionOf(new byte[100_000])).hasMessageContaining("no database of etcd");
        assertThatThrownBy(() -> revisionOf(new byte[0])).hasMessageContaining("no database of etcd");
        assertThatThrownBy(() -> revisionOf(file.withRoot(file.leaf(inlineBucket("other")))))
                .hasMessageContaining("no keys of etcd");
        var circle = new BoltFile();
        int keys = circle.branch(A_REVISION, 2);
        assertThatThrownBy(() -> revisionOf(circle.withRoot(circle.leaf(bucket("key", keys)))))
                .hasMessageContaining("without an end");
        var nowhere = new BoltFile();
        assertThatThrownBy(() -> revisionOf(nowhere.withRoot(nowhere.leaf(bucket("key", 77)))))
                .hasMessageContaining("leads to no keys");
    }

    @Test
    void halfADatabaseIsNone() {
        byte[] whole = file.withRoot(file.leaf(bucket("key", file.leaf(revision(2, 5)))));
        byte[] half = Arrays.copyOf(whole, whole.length - BoltFile.PAGE);
        assertThatThrownBy(() -> revisionOf(half)).hasMessageContaining("not all there");
    }

    private static long revisionOf(byte[] database) throws CorruptSnapshotException {
        long expected = -1;
        // However it comes.
        for (int chunk : new int[] {1 << 20, 1000}) {
            var pages = new BoltPages();
            for (int at = 0; at < database.length; at += chunk) {
                pages.update(database, at, Math.min(chunk, database.length - at));
            }
            long found = pages.lastRevision().orElseThrow();
            assertThat(expected).isIn(-1L, found);
            expected = found;
        }
        return expected;
    }
}
