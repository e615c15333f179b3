package etcdoperator.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** Written beside the final name, and renamed when all of it is on the disk. */
final class FolderParts implements Parts {
    private static final String ENDING = ".part";

    /** Whoever writes for so long without a byte is dead, whatever the path. */
    private static final Duration DEAD = Duration.ofDays(1);

    private final Path target;
    private final Path hidden;
    private final FileChannel file;
    private final Errand errand;

    private FolderParts(Path target, Path hidden, FileChannel file, Errand errand) {
        this.target = target;
        this.hidden = hidden;
        this.file = file;
        this.errand = errand;
    }

    static FolderParts begin(Path target, Errand errand) throws IOException {
        Path folder = folder(target);
        Files.createDirectories(folder);
        removeLeftovers(folder, start(target));
        Path hidden = folder.resolve(start(target) + UUID.randomUUID() + ENDING);
        FileChannel file = FileChannel.open(hidden, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        return new FolderParts(target, hidden, file, errand);
    }

    @Override
    public void send(Part part) throws StoreException {
        try {
            write(part);
        } catch (IOException e) {
            throw FolderStore.translated(e, errand);
        }
    }

    @Override
    public void finish(Part last) throws StoreException {
        try {
            write(last);
            file.force(true);
            file.close();
            Files.move(hidden, target, StandardCopyOption.ATOMIC_MOVE);
            // The new name, too, must outlive a power cut.
            try (FileChannel names = FileChannel.open(folder(target), StandardOpenOption.READ)) {
                names.force(true);
            }
        } catch (java.nio.file.NoSuchFileException e) {
            throw errand.endedByAnother();
        } catch (IOException e) {
            throw FolderStore.translated(e, errand);
        }
    }

    @Override
    public void abort() throws StoreException {
        try {
            file.close();
            Files.deleteIfExists(hidden);
        } catch (IOException e) {
            throw FolderStore.translated(e, errand);
        }
    }

    private void write(Part part) throws IOException {
        ByteBuffer bytes = part.buffer();
        while (bytes.hasRemaining()) {
            file.write(bytes, part.offset() + bytes.position());
        }
    }

    private static void removeLeftovers(Path folder, String start) throws IOException {
        List<Path> hidden;
        try (Stream<Path> files = Files.list(folder)) {
            hidden = files.filter(file -> isHiddenPart(file.getFileName().toString()))
                    .toList();
        }
        Instant old = Instant.now().minus(DEAD);
        for (Path file : hidden) {
            boolean ours = file.getFileName().toString().startsWith(start)
                    && file.getFileName().toString().length() == start.length() + 36 + ENDING.length();
            if (ours || isOlder(file, old)) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static boolean isOlder(Path file, Instant than) throws IOException {
        try {
            return Files.getLastModifiedTime(file).toInstant().isBefore(than);
        } catch (java.nio.file.NoSuchFileException e) {
            return false;
        }
    }

    private static boolean isHiddenPart(String name) {
        return name.startsWith(".") && name.endsWith(ENDING);
    }

    private static String start(Path target) {
        return "." + target.getFileName() + ".";
    }

    private static Path folder(Path target) {
        Path folder = target.getParent();
        if (folder == null) {
            throw new IllegalArgumentException(target + " has no folder");
        }
        return folder;
    }
}
