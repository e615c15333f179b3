package etcdoperator.agent.disk;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import etcdoperator.agent.disk.SnapFiles.Snap;
import etcdoperator.agent.disk.proto.RaftEntry;
import etcdoperator.agent.disk.proto.RaftHardState;
import etcdoperator.agent.disk.proto.WalMetadata;
import etcdoperator.agent.disk.proto.WalRecord;
import etcdoperator.agent.disk.proto.WalSnapshot;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.MemberIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What the log on a stopped member's disk holds.
 *
 * @param identity whose log it is
 * @param last how far it goes, known to be agreed on or not
 * @param voters ids of members that vote once all of the log is agreed on
 * @param others how many of them are others
 * @param state the last that the member said of its term, its vote and what is agreed on
 * @param written when the last entry was
 * @param goodBytes of the last file; behind it there is nothing, or what was torn
 * @param sum of all records, from which the next one goes on
 */
public record DiskSurvey(
        Path dataDir,
        List<WalSegment> segments,
        MemberIdentity identity,
        RaftPosition last,
        Set<Long> voters,
        int others,
        RaftHardState state,
        Instant written,
        long goodBytes,
        int sum) {

    /** @throws UnusableDiskException if no cluster can be made of it */
    public static DiskSurvey of(Path dataDir) throws IOException {
        return of(dataDir, true);
    }

    /** Also of a member without a vote, of which no cluster can be made. */
    public static DiskSurvey ofAnyMember(Path dataDir) throws IOException {
        return of(dataDir, false);
    }

    private static DiskSurvey of(Path dataDir, boolean votes) throws IOException {
        Path member = dataDir.resolve("member");
        if (!is(member.resolve("snap/db"), BasicFileAttributes::isRegularFile)
                || !is(member.resolve("wal"), BasicFileAttributes::isDirectory)) {
            throw new UnusableDiskException("holds no data of etcd");
        }
        List<WalSegment> segments = WalSegment.in(member.resolve("wal"));
        try {
            Snap base = SnapFiles.newest(member.resolve("snap"), snapshots(segments));
            if (segments.getFirst().index() > base.position().index()) {
                throw new UnusableDiskException("lacks the beginning of its log");
            }
            return new Reading(base).of(dataDir, segments, votes);
        } catch (InvalidProtocolBufferException e) {
            throw new UnusableDiskException("has a damaged log: " + e.getMessage());
        }
    }

    /** What cannot be looked at, as on a disk that fails, may be there. */
    private static boolean is(Path path, Predicate<BasicFileAttributes> kind) throws IOException {
        try {
            return kind.test(Files.readAttributes(path, BasicFileAttributes.class));
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Whose log is in a data directory; empty where nobody can tell, because it is not there or damaged. */
    public static Optional<MemberIdentity> owner(Path dataDir) {
        try (var reader = new WalReader(WalSegment.in(dataDir.resolve("member/wal")))) {
            return reader.next().filter(record -> record.getType() == WalReader.METADATA).stream()
                    .map(WalRecord::getData)
                    .findFirst()
                    .map(DiskSurvey::identity);
        } catch (IOException | UncheckedIOException e) {
            return Optional.empty();
        }
    }

    private static MemberIdentity identity(ByteString record) {
        try {
            return identity(WalMetadata.parseFrom(record));
        } catch (InvalidProtocolBufferException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static MemberIdentity identity(WalMetadata metadata) {
        return new MemberIdentity(new ClusterId(metadata.getClusterId()), new MemberId(metadata.getNodeId()));
    }

    Path member() {
        return dataDir.resolve("member");
    }

    /**
     * How far the log goes at least once etcd leads alone: it removes each of the others by an entry, and begins its term
     * with one.
     */
    public long indexAlone() {
        return last.index() + others + 1;
    }

    /** How many entries at the end this member does not know to be agreed on. */
    public long doubtful() {
        return last.index() - state.getCommit();
    }

    private static Set<RaftPosition> snapshots(List<WalSegment> segments) throws IOException {
        Set<RaftPosition> found = new HashSet<>();
        try (var reader = new WalReader(segments)) {
            for (Optional<WalRecord> next = reader.next(); next.isPresent(); next = reader.next()) {
                if (next.get().getType() == WalReader.SNAPSHOT) {
                    WalSnapshot snapshot = WalSnapshot.parseFrom(next.get().getData());
                    found.add(new RaftPosition(snapshot.getTerm(), snapshot.getIndex()));
                }
            }
        }
        return found;
    }

    /** Everything from a snapshot on. */
    private static final class Reading {
        private final Snap base;
        private final RaftMembers members;
        private RaftPosition last;
        private RaftHardState state = RaftHardState.getDefaultInstance();
        private WalMetadata metadata = WalMetadata.getDefaultInstance();
        private Optional<Path> written = Optional.empty();

        Reading(Snap base) {
            this.base = base;
            this.members = new RaftMembers(base.members());
            this.last = base.position();
        }

        DiskSurvey of(Path dataDir, List<WalSegment> segments, boolean votes) throws IOException {
            try (var reader = new WalReader(segments)) {
                for (Optional<WalRecord> next = reader.next(); next.isPresent(); next = reader.next()) {
                    take(next.get(), reader.segment());
                }
                if (votes) {
                    checkVote();
                }
                Path file = written.orElse(segments.getLast().file());
                return new DiskSurvey(
                        dataDir,
                        segments,
                        identity(metadata),
                        last,
                        members.voters(),
                        members.others(metadata.getNodeId()),
                        state,
                        Files.getLastModifiedTime(file).toInstant(),
                        reader.goodBytes(),
                        reader.sum());
            }
        }

        private void take(WalRecord record, WalSegment segment) throws IOException {
            switch ((int) record.getType()) {
                case WalReader.ENTRY -> entry(RaftEntry.parseFrom(record.getData()), segment);
                case WalReader.STATE -> state = RaftHardState.parseFrom(record.getData());
                case WalReader.METADATA -> metadata = WalMetadata.parseFrom(record.getData());
                case WalReader.SNAPSHOT -> {}
                default ->
                    throw new UnusableDiskException("has a record in its log of an unknown kind: " + record.getType()
                            + " in " + segment.file().getFileName());
            }
        }

        /** One that comes with an index that was there before replaces that one and all behind it. */
        private void entry(RaftEntry entry, WalSegment segment) throws IOException {
            if (entry.getIndex() <= base.position().index()
                    || entry.getTerm() < base.position().term()) {
                // A leader's snapshot takes the place of all that was not agreed on before it.
                return;
            }
            if (entry.getIndex() > last.index() + 1) {
                throw new UnusableDiskException(
                        "lacks entries of its log between %d and %d".formatted(last.index(), entry.getIndex()));
            }
            members.take(entry);
            last = new RaftPosition(entry.getTerm(), entry.getIndex());
            written = Optional.of(segment.file());
        }

        /** etcd starts no cluster on the disk of one that had no vote. */
        private void checkVote() throws UnusableDiskException {
            if (members.isLearner(metadata.getNodeId())) {
                throw new UnusableDiskException("is of a learner, which had no vote and may lack what was agreed on");
            }
            if (!members.isVoter(metadata.getNodeId())) {
                throw new UnusableDiskException("is of a member that was removed from its cluster");
            }
            if (last.index() < state.getCommit()) {
                throw new UnusableDiskException(
                        "lacks entries of its log that it knew to be agreed on, after %d".formatted(last.index()));
            }
        }
    }
}
