package etcdoperator.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderStoreTest extends StoreContract {
    @TempDir
    Path folder;

    @Override
    StoreStage open() {
        return new FolderStage(folder);
    }

    @Test
    void hiddenFilesOfOthersAreKeptAsLongAsTheyMayLive() throws IOException {
        Path live = Files.writeString(folder.resolve(".other.db.0.part"), "x");
        Path dead = Files.writeString(folder.resolve(".another.db.0.part"), "x");
        Path strange = Files.writeString(folder.resolve(".nfs0001"), "x");
        for (Path old : new Path[] {dead, strange}) {
            Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
        }
        store("mine.db", new byte[1]);
        assertThat(live).exists();
        assertThat(dead).doesNotExist();
        assertThat(strange).exists();
        assertThat(store.list("")).extracting(StoredObject::path).containsExactly("mine.db");
    }

    @Test
    void littleMemoryWillDo() {
        assertThat(BigTransfer.inLittleMemory(stage.whereabouts())).contains("as it was sent");
    }

    private record FolderStage(Path folder) implements StoreStage {
        @Override
        public Store store() {
            return Store.in(folder);
        }

        @Override
        public Store missingBucket() {
            return Store.in(folder.resolve("missing"));
        }

        @Override
        public int partsLeft(String path) {
            try (Stream<Path> files = Files.walk(folder)) {
                return (int) files.filter(file -> file.getFileName().toString().endsWith(".part"))
                        .count();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public String[] whereabouts() {
            return new String[] {folder.toString()};
        }

        @Override
        public void close() {}
    }
}
