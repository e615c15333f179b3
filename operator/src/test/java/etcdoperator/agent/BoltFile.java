package etcdoperator.agent;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes databases as bbolt writes them, page by page, sound ones and others. */
public final class BoltFile {
    public static final int PAGE = 4096;
    private static final int BRANCH = 1;
    private static final int LEAF = 2;
    private static final int META = 4;

    private final Map<Integer, byte[]> pages = new LinkedHashMap<>();
    private int count = 2;

    /** @param bucket whether the value is a bucket */
    public record Element(byte[] key, byte[] value, boolean bucket) {}

    public static Element revision(long main, int valueSize) {
        byte[] key =
                ByteBuffer.allocate(17).putLong(main).put((byte) '_').putLong(0).array();
        return new Element(key, new byte[valueSize], false);
    }

    public static Element deletion(long main) {
        byte[] key = ByteBuffer.allocate(18)
                .putLong(main)
                .put((byte) '_')
                .putLong(0)
                .put((byte) 't')
                .array();
        return new Element(key, new byte[3], false);
    }

    public static Element compacted(long main) {
        return new Element(
                "finishedCompactRev".getBytes(StandardCharsets.US_ASCII),
                revision(main, 0).key(),
                false);
    }

    public static Element bucket(String name, int root) {
        byte[] value = little(16).putLong(root).array();
        return new Element(name.getBytes(StandardCharsets.US_ASCII), value, true);
    }

    public static Element inlineBucket(String name, Element... elements) {
        byte[] page = leafBytes(0, List.of(elements));
        byte[] value = little(16 + page.length).put(16, page).array();
        return new Element(name.getBytes(StandardCharsets.US_ASCII), value, true);
    }

    public int leaf(Element... elements) {
        byte[] bytes = leafBytes(count, List.of(elements));
        return add(bytes);
    }

    public int branch(byte[] firstKey, int... children) {
        List<byte[]> keys = new ArrayList<>();
        for (int ignored : children) {
            keys.add(firstKey);
        }
        ByteBuffer page = little(16 + children.length * (16 + firstKey.length));
        header(page, count, BRANCH, children.length, 0);
        int data = 16 + children.length * 16;
        for (int i = 0; i < children.length; i++) {
            int at = 16 + i * 16;
            page.putInt(at, data - at).putInt(at + 4, firstKey.length).putLong(at + 8, children[i]);
            page.put(data, keys.get(i));
            data += firstKey.length;
        }
        return add(page.array());
    }

    public int raw(byte[] bytes) {
        return add(bytes);
    }

    /** Overwrites a page, as one that was in use before. */
    public void replace(int page, int by) {
        byte[] other = pages.get(by).clone();
        little(other).putLong(0, page);
        pages.put(page, other);
    }

    public byte[] withRoot(int root) {
        ByteBuffer file = little(count * PAGE);
        pages.forEach((page, bytes) -> file.put(page * PAGE, bytes));
        file.put(0, meta(0, root, 7));
        file.put(PAGE, meta(1, root, 6));
        return file.array();
    }

    public byte[] meta(int page, int root, long transaction) {
        ByteBuffer meta = little(PAGE);
        header(meta, page, META, 0, 0);
        meta.putInt(16, 0xED0CDAED).putInt(20, 2).putInt(24, PAGE).putLong(32, root);
        meta.putLong(56, count).putLong(64, transaction);
        long sum = 0xcbf29ce484222325L;
        for (int i = 16; i < 72; i++) {
            sum = (sum ^ (meta.get(i) & 0xff)) * 0x100000001b3L;
        }
        return meta.putLong(72, sum).array();
    }

    /** A database with its hash. */
    static byte[] snapshot(byte[] database) {
        var out = new ByteArrayOutputStream();
        out.writeBytes(database);
        out.writeBytes(SnapshotCheck.sha256().digest(database));
        return out.toByteArray();
    }

    /** A sound one, of keys up to a revision. */
    static byte[] snapshotOf(long revision) {
        var file = new BoltFile();
        return snapshot(file.withRoot(file.leaf(bucket("key", file.leaf(revision(2, 10), revision(revision, 10))))));
    }

    private int add(byte[] bytes) {
        int page = count;
        pages.put(page, bytes);
        count += Math.max(1, (bytes.length + PAGE - 1) / PAGE);
        return page;
    }

    private static byte[] leafBytes(int page, List<Element> elements) {
        int size = 16
                + elements.stream()
                        .mapToInt(element -> 16 + element.key().length + element.value().length)
                        .sum();
        ByteBuffer bytes = little(size);
        header(bytes, page, LEAF, elements.size(), (size - 1) / PAGE);
        int data = 16 + elements.size() * 16;
        for (int i = 0; i < elements.size(); i++) {
            Element element = elements.get(i);
            int at = 16 + i * 16;
            bytes.putInt(at, element.bucket() ? 1 : 0).putInt(at + 4, data - at);
            bytes.putInt(at + 8, element.key().length).putInt(at + 12, element.value().length);
            bytes.put(data, element.key()).put(data + element.key().length, element.value());
            data += element.key().length + element.value().length;
        }
        return bytes.array();
    }

    private static void header(ByteBuffer page, int id, int flags, int elements, int overflow) {
        page.putLong(0, id)
                .putShort(8, (short) flags)
                .putShort(10, (short) elements)
                .putInt(12, overflow);
    }

    private static ByteBuffer little(int size) {
        return little(new byte[size]);
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
