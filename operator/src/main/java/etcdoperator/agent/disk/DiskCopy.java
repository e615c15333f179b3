package etcdoperator.agent.disk;

import com.google.protobuf.ByteString;
import etcdoperator.agent.disk.proto.RaftHardState;
import etcdoperator.agent.disk.proto.WalRecord;
import etcdoperator.agentreport.CorruptSnapshotException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Copies a stopped member's data, and makes all of its log count as agreed on in the copy. What was acknowledged to
 * anybody is in the log of a majority, but whether it is agreed on, a member writes down only later: an etcd that is
 * told to go on alone throws away what it does not know to be agreed on, and acknowledged writes with it.
 */
public final class DiskCopy {
    private static final int CHUNK = 64 << 10;

    private final DiskSurvey from;
    private final Path to;

    /** @param to a data directory that is not there yet */
    public DiskCopy(DiskSurvey from, Path to) {
        this.from = from;
        this.to = to;
    }

    public long bytes() throws IOException {
        return databaseBytes() + logBytes();
    }

    /** Of the database, with all that the log may yet put into it. */
    public long grownBytes() throws IOException {
        return Files.size(from.member().resolve("snap/db")) + logBytes();
    }

    /** @throws UnusableDiskException if the database is not whole */
    public void make() throws IOException {
        Path snap = Files.createDirectories(to.resolve("member/snap"));
        Path wal = Files.createDirectories(to.resolve("member/wal"));
        for (Path file : database()) {
            copyTo(snap.resolve(file.getFileName()), file, Long.MAX_VALUE, isDatabase(file));
        }
        WalSegment last = from.segments().getLast();
        for (WalSegment segment : from.segments()) {
            Path copy = wal.resolve(segment.file().getFileName());
            copyTo(copy, segment.file(), segment.equals(last) ? from.goodBytes() : Long.MAX_VALUE, false);
        }
        Files.write(wal.resolve(last.file().getFileName()), agreement(), StandardOpenOption.APPEND);
    }

    /** @throws UnusableDiskException if it is not whole */
    public static void checkDatabase(DiskSurvey disk) throws IOException {
        copy(disk.member().resolve("snap/db"), OutputStream.nullOutputStream(), Long.MAX_VALUE, true);
    }

    private long databaseBytes() throws IOException {
        long sum = 0;
        for (Path file : database()) {
            sum += Files.size(file);
        }
        return sum;
    }

    private long logBytes() throws IOException {
        long sum = from.goodBytes();
        for (WalSegment segment : from.segments().subList(0, from.segments().size() - 1)) {
            sum += Files.size(segment.file());
        }
        return sum;
    }

    /** The database, what it was received as, and the snapshots of the log; not what was left half made. */
    private List<Path> database() throws IOException {
        Predicate<Path> wanted = file -> {
            String name = file.getFileName().toString();
            return name.equals("db") || name.endsWith(".snap") || name.endsWith(".snap.db");
        };
        try (Stream<Path> files = Files.list(from.member().resolve("snap"))) {
            return files.filter(wanted).sorted().toList();
        }
    }

    private static boolean isDatabase(Path file) {
        return file.getFileName().toString().equals("db");
    }

    private static void copyTo(Path target, Path source, long most, boolean database) throws IOException {
        try (OutputStream out = Files.newOutputStream(target, StandardOpenOption.CREATE_NEW)) {
            copy(source, out, most, database);
        }
    }

    private static void copy(Path source, OutputStream out, long most, boolean database) throws IOException {
        var pages = new BoltPages();
        byte[] some = new byte[CHUNK];
        long left = most;
        try (InputStream in = new StillFile(source)) {
            for (int length = in.read(some); length >= 0 && left > 0; length = in.read(some)) {
                int used = (int) Math.min(length, left);
                out.write(some, 0, used);
                left -= used;
                if (database) {
                    pages.update(some, 0, used);
                }
            }
        }
        if (database) {
            check(pages);
        }
    }

    private static void check(BoltPages pages) throws UnusableDiskException {
        try {
            pages.lastRevision();
        } catch (CorruptSnapshotException e) {
            throw new UnusableDiskException("has a damaged database: it " + e.getMessage());
        }
    }

    /** With the vote and the term of before: nobody who could still hear of it voted otherwise. */
    private byte[] agreement() {
        ByteString state = RaftHardState.newBuilder()
                .setTerm(Math.max(from.state().getTerm(), from.last().term()))
                .setVote(from.state().getVote())
                .setCommit(from.last().index())
                .build()
                .toByteString();
        return WalFrame.around(WalRecord.newBuilder()
                .setType(WalReader.STATE)
                .setCrc(Castagnoli.update(from.sum(), state.toByteArray()))
                .setData(state)
                .build());
    }
}
