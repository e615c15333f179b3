package etcdoperator.agent.disk;

import com.google.protobuf.InvalidProtocolBufferException;
import etcdoperator.agent.disk.proto.RaftConfState;
import etcdoperator.agent.disk.proto.RaftSnapshot;
import etcdoperator.agent.disk.proto.RaftSnapshotMetadata;
import etcdoperator.agent.disk.proto.SnapFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The files in which a member has written down where its log may begin. */
final class SnapFiles {
    private static final String SUFFIX = ".snap";

    private SnapFiles() {}

    /** @param position up to where the log is in it @param members who was in the cluster then */
    record Snap(RaftPosition position, RaftConfState members) {
        static final Snap NONE = new Snap(RaftPosition.NOWHERE, RaftConfState.getDefaultInstance());
    }

    /** As etcd takes it: the newest that is whole and that the log knows of; none for a log from the beginning. */
    static Snap newest(Path folder, Set<RaftPosition> known) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> file.getFileName().toString().endsWith(SUFFIX))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
        for (Path file : files) {
            Optional<Snap> snap = read(file).filter(found -> known.contains(found.position()));
            if (snap.isPresent()) {
                return snap.get();
            }
        }
        return Snap.NONE;
    }

    private static Optional<Snap> read(Path file) throws IOException {
        try {
            SnapFile whole = SnapFile.parseFrom(Files.readAllBytes(file));
            byte[] data = whole.getData().toByteArray();
            if (data.length == 0 || Castagnoli.update(0, data) != whole.getCrc()) {
                return Optional.empty();
            }
            RaftSnapshotMetadata metadata = RaftSnapshot.parseFrom(data).getMetadata();
            return Optional.of(
                    new Snap(new RaftPosition(metadata.getTerm(), metadata.getIndex()), metadata.getConfState()));
        } catch (InvalidProtocolBufferException e) {
            return Optional.empty();
        }
    }
}
