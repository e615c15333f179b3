package etcdoperator.agent;

import etcdoperator.agentreport.AgentException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The volume of a member-to-be. What a restore makes is under {@code restore} until all of it is there; whose restore
 * it is, is noted before anything else, so that no data of anybody else's is ever removed. That it is done is noted
 * last: from then on the data may be that of a member that runs, and no later attempt touches it.
 */
final class RestoreFolder {
    private static final long LITTLE = 1 << 20;

    /** etcd may make a file while its folder is removed. */
    private static final int TRIES = 5;

    private final Path root;
    private final String uid;

    RestoreFolder(Path root, String uid) {
        this.root = root;
        this.uid = uid;
    }

    private Path mark() {
        return root.resolve(".restore");
    }

    private Path done() {
        return root.resolve(".restored");
    }

    private Path data() {
        return root.resolve("data");
    }

    private Path work() {
        return root.resolve("restore");
    }

    /** Where the snapshot goes. */
    Path snapshot() {
        return work().resolve("snapshot.db");
    }

    /** The data of a member that survives, for an etcd that nobody else sees. */
    Path copy() {
        return work().resolve("copy");
    }

    private Path position() {
        return work().resolve("salvaged");
    }

    /** How far the log goes once etcd has done all of what was salvaged. */
    void note(long index) throws IOException {
        Files.writeString(position(), Long.toString(index));
    }

    long noted() throws IOException, AgentException {
        if (!isOurs() || !Files.exists(position())) {
            throw AgentException.fatal("nothing was salvaged in this volume: salvage a member's disk first");
        }
        return Long.parseLong(Files.readString(position()).strip());
    }

    /** Removes what an earlier attempt of this restore left. */
    void begin() throws IOException, AgentException {
        if (Files.exists(data()) && !isOurs()) {
            throw AgentException.fatal("the volume holds data already, and not of this restore: restore into a new"
                    + " claim, or delete the old one");
        }
        write(mark());
        delete(work());
        if (!isDone()) {
            delete(data());
        }
        Files.createDirectory(work());
    }

    /** Puts what was restored where etcd looks for it; once it is there, nothing is left to do. */
    void finish() throws IOException, AgentException {
        Path restored = work().resolve("data");
        if (!isOurs()) {
            throw AgentException.fatal("the volume does not belong to this restore: fetch its snapshot first");
        }
        if (!isDone()) {
            if (Files.exists(restored)) {
                syncAll(restored);
                Files.move(restored, data(), StandardCopyOption.ATOMIC_MOVE);
                sync(root);
            } else if (!Files.exists(data())) {
                throw AgentException.fatal(
                        "nothing was restored in this volume: fetch a snapshot, and have etcdutl restore it");
            }
            write(done());
        }
        delete(work());
        sync(root);
    }

    /** Whether that may be why something could not be written. */
    boolean isFull() throws IOException {
        return roomBytes() < LITTLE;
    }

    AgentException tooSmall(String why) throws IOException {
        return AgentException.fatal("the volume is too small: %s, and it has %d bytes, %d of them free: ask for more in"
                        .formatted(why, volumeBytes(), roomBytes())
                + " the storage of the cluster");
    }

    long roomBytes() throws IOException {
        return Files.getFileStore(root).getUsableSpace();
    }

    long volumeBytes() throws IOException {
        return Files.getFileStore(root).getTotalSpace();
    }

    private boolean isOurs() throws IOException {
        return says(mark());
    }

    private boolean isDone() throws IOException {
        return says(done());
    }

    private boolean says(Path file) throws IOException {
        return Files.exists(file) && Files.readString(file).strip().equals(uid);
    }

    private void write(Path file) throws IOException {
        Files.writeString(file, uid);
        sync(file);
        sync(root);
    }

    private static void syncAll(Path folder) throws IOException {
        for (Path path : below(folder)) {
            sync(path);
        }
    }

    /** Of a folder, too: names must outlive a power cut as well as bytes. */
    static void sync(Path path) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            file.force(true);
        }
    }

    private static void delete(Path path) throws IOException {
        for (int tries = 1; Files.exists(path); tries++) {
            try {
                for (Path each : below(path)) {
                    Files.deleteIfExists(each);
                }
            } catch (DirectoryNotEmptyException e) {
                if (tries == TRIES) {
                    throw e;
                }
            }
        }
    }

    /** Children before their parents. */
    private static List<Path> below(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.sorted(Comparator.reverseOrder()).toList();
        }
    }
}
