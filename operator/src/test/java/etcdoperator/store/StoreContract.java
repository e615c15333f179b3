package etcdoperator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import etcdoperator.store.StoreException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every store must do. */
abstract class StoreContract {
    static final int PART = Part.USUAL_SIZE;
    static final String PATH = "ns/my-cluster/20261115T030000Z.db";

    StoreStage stage;
    Store store;

    abstract StoreStage open();

    @BeforeEach
    void begin() {
        stage = open();
        store = stage.store();
    }

    @AfterEach
    void end() {
        store.close();
        stage.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, PART, 3 * PART + 13})
    void whatIsStoredIsRead(int size) throws IOException {
        byte[] bytes = bytes(1, size);
        store(PATH, bytes);
        assertThat(read(PATH)).isEqualTo(bytes);
        assertThat(store.stat(PATH)).hasValueSatisfying(object -> {
            assertThat(object.path()).isEqualTo(PATH);
            assertThat(object.sizeBytes()).isEqualTo(size);
            assertThat(object.modified()).isAfter("2026-01-01T00:00:00Z");
        });
        assertThat(stage.partsLeft(PATH)).isZero();
    }

    @Test
    void singleBytesDoToo() throws IOException {
        try (Upload upload = store.begin(PATH)) {
            upload.write('a');
            upload.write(new byte[] {'x', 'b', 'x'}, 1, 1);
            upload.write(new byte[0]);
            upload.write(0xff);
            upload.complete();
            assertThat(upload.transferredBytes()).isEqualTo(3);
        }
        try (InputStream stored = store.open(PATH)) {
            assertThat(List.of(stored.read(), stored.read(), stored.read(), stored.read()))
                    .containsExactly((int) 'a', (int) 'b', 0xff, -1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b/ü+%.db", "a/b=c&d?e#f.db", "~'(!)*;:@$,[].db"})
    void strangeNamesAreKept(String path) throws IOException {
        store(path, bytes(1, 10));
        assertThat(read(path)).isEqualTo(bytes(1, 10));
        assertThat(store.list("")).extracting(StoredObject::path).containsExactly(path);
        store.delete(path);
        assertThat(store.list("")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/a", "a/", "a//b", "../a", "a/./b", ".a", "a\\b", "a\nb"})
    void whatIsNoPathIsRefused(String path) {
        for (ThrowingCallable deed :
                List.<ThrowingCallable>of(() -> store.begin(path), () -> store.open(path), () -> store.delete(path))) {
            assertThatThrownBy(deed).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void nothingIsSeenBeforeItIsComplete() throws IOException {
        try (Upload upload = store.begin(PATH)) {
            writeTwoParts(upload);
            assertNothingIsThere();
            upload.complete();
        }
        assertThat(store.stat(PATH)).isPresent();
        assertThat(store.list("")).hasSize(1);
    }

    @Test
    void anUploadThatIsGivenUpLeavesNothing() throws IOException {
        Upload upload = store.begin(PATH);
        writeTwoParts(upload);
        upload.abort();
        upload.close();
        assertNothingIsThere();
        if (!stage.takesPartsBack()) {
            store(PATH, bytes(2, 2 * PART));
        }
        assertThat(stage.partsLeft(PATH)).isZero();
    }

    @Test
    void aDeadAgentLeavesNothingToTheNext() throws IOException {
        // Neither closed nor aborted, as if it had been killed.
        Upload dead = store.begin(PATH);
        writeTwoParts(dead);
        assertNothingIsThere();
        try (Store next = stage.store()) {
            byte[] bytes = bytes(3, 2 * PART + 5);
            try (Upload upload = next.begin(PATH)) {
                upload.write(bytes);
                upload.complete();
            }
            assertThat(read(PATH)).isEqualTo(bytes);
        }
        assertThat(stage.partsLeft(PATH)).isZero();
    }

    @Test
    void whoWasReplacedDoesNotReplace() throws IOException {
        Upload slow = store.begin(PATH);
        writeTwoParts(slow);
        store(PATH, bytes(4, 100));
        assertThat(kind(slow::complete)).isEqualTo(Kind.BROKEN);
        slow.close();
        assertThat(read(PATH)).isEqualTo(bytes(4, 100));
    }

    @Test
    void anObjectIsReplacedAtOnce() throws IOException {
        store(PATH, bytes(5, PART + 1));
        byte[] bytes = bytes(6, 2 * PART + 1);
        try (Upload upload = store.begin(PATH)) {
            upload.write(bytes);
            await().until(() -> upload.transferredBytes() >= PART);
            assertThat(read(PATH)).isEqualTo(bytes(5, PART + 1));
            upload.complete();
        }
        assertThat(read(PATH)).isEqualTo(bytes);
    }

    @Test
    void aListIsComplete() throws IOException {
        List<String> paths =
                IntStream.range(0, 2_100).mapToObj("many/%04d.db"::formatted).toList();
        for (String path : paths) {
            store(path, new byte[] {1});
        }
        store("manyfold.db", new byte[2]);
        store("other/0000.db", new byte[3]);
        assertThat(store.list("many/")).extracting(StoredObject::path).containsExactlyElementsOf(paths);
        assertThat(store.list("many")).hasSize(2_101);
        assertThat(store.list("other/00")).singleElement().satisfies(object -> {
            assertThat(object.sizeBytes()).isEqualTo(3);
            assertThat(object.modified()).isAfter("2026-01-01T00:00:00Z");
        });
        assertThat(store.list("none/")).isEmpty();
        store.delete("many/0000.db");
        assertThat(store.list("many/")).hasSize(2_099);
    }

    @Test
    void whatIsMissingIsMissing() throws IOException {
        assertThat(store.stat(PATH)).isEmpty();
        assertThat(store.stat("ns")).isEmpty();
        assertThat(kind(() -> store.open(PATH))).isEqualTo(Kind.NOT_FOUND);
        assertThatThrownBy(() -> store.open(PATH)).hasMessageContaining(PATH).hasMessageContaining("does not exist");
        store.delete(PATH);
        store(PATH, new byte[1]);
        store.delete(PATH);
        store.delete(PATH);
        assertNothingIsThere();
    }

    @Test
    void aMissingBucketIsNamed() {
        try (Store nowhere = stage.missingBucket()) {
            assertThat(kind(() -> nowhere.list(""))).isEqualTo(Kind.NO_BUCKET);
            assertThat(kind(() -> nowhere.stat(PATH))).isEqualTo(Kind.NO_BUCKET);
            assertThat(kind(() -> nowhere.open(PATH))).isEqualTo(Kind.NO_BUCKET);
            assertThatThrownBy(() -> nowhere.stat(PATH))
                    .hasMessageContaining("missing")
                    .hasMessageContaining("create it");
            checkUploadToMissingBucket(nowhere);
        }
    }

    void checkUploadToMissingBucket(Store nowhere) {
        assertThat(kind(() -> store(nowhere, PATH, new byte[1]))).isEqualTo(Kind.NO_BUCKET);
        assertThat(kind(() -> store(nowhere, PATH, new byte[PART + 1]))).isEqualTo(Kind.NO_BUCKET);
    }

    void writeTwoParts(Upload upload) throws IOException {
        upload.write(bytes(9, 2 * PART + 1));
        await().atMost(Duration.ofMinutes(1)).until(() -> upload.transferredBytes() == 2L * PART);
    }

    void assertNothingIsThere() throws IOException {
        assertThat(store.stat(PATH)).isEmpty();
        assertThat(store.list("")).isEmpty();
        assertThat(kind(() -> store.open(PATH))).isEqualTo(Kind.NOT_FOUND);
    }

    void store(String path, byte[] bytes) throws IOException {
        store(store, path, bytes);
    }

    static void store(Store into, String path, byte[] bytes) throws IOException {
        try (Upload upload = into.begin(path)) {
            upload.write(bytes);
            upload.complete();
        }
    }

    byte[] read(String path) throws IOException {
        try (InputStream stored = store.open(path)) {
            return stored.readAllBytes();
        }
    }

    static Kind kind(ThrowingCallable deed) {
        return org.assertj.core.api.Assertions.catchThrowableOfType(StoreException.class, deed)
                .kind();
    }

    static byte[] bytes(int seed, int size) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
