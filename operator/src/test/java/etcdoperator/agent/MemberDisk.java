package etcdoperator.agent;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import etcdoperator.agent.disk.WalReader;
import etcdoperator.agent.disk.proto.RaftConfChange;
import etcdoperator.agent.disk.proto.RaftConfState;
import etcdoperator.agent.disk.proto.RaftEntry;
import etcdoperator.agent.disk.proto.RaftHardState;
import etcdoperator.agent.disk.proto.RaftSnapshot;
import etcdoperator.agent.disk.proto.RaftSnapshotMetadata;
import etcdoperator.agent.disk.proto.SnapFile;
import etcdoperator.agent.disk.proto.WalMetadata;
import etcdoperator.agent.disk.proto.WalRecord;
import etcdoperator.agent.disk.proto.WalSnapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/** Makes the volume of a stopped member, record by record, as etcd writes it. */
public final class MemberDisk {
    public static final long MEMBER = 0xa1;

    private final Path member;
    private final CRC32C sum = new CRC32C();
    private Path segment;
    private int segments;

    public MemberDisk(Path volume) {
        this.member = volume.resolve("data/member");
        try {
            Files.createDirectories(member.resolve("wal"));
            Files.createDirectories(member.resolve("snap"));
            byte[] snapshot = BoltFile.snapshotOf(7);
            Files.write(database(), Arrays.copyOf(snapshot, snapshot.length - SnapshotCheck.HASH));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut(0);
        record(
                WalReader.SNAPSHOT,
                WalSnapshot.newBuilder().setIndex(0).setTerm(0).build());
    }

    /** Of a member that has voted from the first entry on. */
    public static MemberDisk ofVoter(Path volume) {
        return new MemberDisk(volume).change(1, 1, 0, MEMBER);
    }

    Path dataDir() {
        return member.getParent();
    }

    public Path database() {
        return member.resolve("snap/db");
    }

    public Path segment() {
        return segment;
    }

    /** Goes on in another file. */
    public MemberDisk cut(long index) {
        segment = member.resolve("wal/%016x-%016x.wal".formatted(segments++, index));
        append(frame(WalRecord.newBuilder()
                .setType(WalReader.SUM)
                .setCrc((int) sum.getValue())
                .build()));
        return record(
                WalReader.METADATA,
                WalMetadata.newBuilder().setNodeId(MEMBER).setClusterId(0xc1).build());
    }

    public MemberDisk entries(long term, long first, long last) {
        for (long index = first; index <= last; index++) {
            entry(term, index, 100);
        }
        return this;
    }

    public MemberDisk entry(long term, long index, int size) {
        byte[] data = new byte[size];
        Arrays.fill(data, (byte) 'x');
        return record(
                WalReader.ENTRY,
                RaftEntry.newBuilder()
                        .setType(0)
                        .setTerm(term)
                        .setIndex(index)
                        .setData(ByteString.copyFrom(data))
                        .build());
    }

    /** @param type 0 adds a voter, 1 removes, 3 adds a learner */
    public MemberDisk change(long term, long index, int type, long who) {
        return change(term, index, type, who, UnknownFieldSet.getDefaultInstance());
    }

    /** @param context how much the client has sent with it */
    public MemberDisk change(long term, long index, int type, long who, int context) {
        var sent = UnknownFieldSet.Field.newBuilder()
                .addLengthDelimited(ByteString.copyFrom(new byte[context]))
                .build();
        return change(
                term,
                index,
                type,
                who,
                UnknownFieldSet.newBuilder().addField(4, sent).build());
    }

    private MemberDisk change(long term, long index, int type, long who, UnknownFieldSet context) {
        var change = RaftConfChange.newBuilder()
                .setId(index)
                .setType(type)
                .setNodeId(who)
                .setUnknownFields(context)
                .build();
        return record(
                WalReader.ENTRY,
                RaftEntry.newBuilder()
                        .setType(1)
                        .setTerm(term)
                        .setIndex(index)
                        .setData(change.toByteString())
                        .build());
    }

    public MemberDisk state(long term, long commit) {
        return record(
                WalReader.STATE,
                RaftHardState.newBuilder()
                        .setTerm(term)
                        .setVote(MEMBER)
                        .setCommit(commit)
                        .build());
    }

    /** The file first, and then the word of it in the log. */
    public MemberDisk snapshot(long term, long index, List<Long> voters, List<Long> learners) throws IOException {
        ByteString data = RaftSnapshot.newBuilder()
                .setMetadata(RaftSnapshotMetadata.newBuilder()
                        .setTerm(term)
                        .setIndex(index)
                        .setConfState(
                                RaftConfState.newBuilder().addAllVoters(voters).addAllLearners(learners)))
                .build()
                .toByteString();
        var crc = new CRC32C();
        crc.update(data.toByteArray());
        Files.write(
                member.resolve("snap/%016x-%016x.snap".formatted(term, index)),
                SnapFile.newBuilder()
                        .setCrc((int) crc.getValue())
                        .setData(data)
                        .build()
                        .toByteArray());
        return record(
                WalReader.SNAPSHOT,
                WalSnapshot.newBuilder().setIndex(index).setTerm(term).build());
    }

    /** As much as etcd reserves of a file before it writes. */
    public MemberDisk zeros(int count) {
        append(new byte[count]);
        return this;
    }

    /** Takes back the end of what was written last. */
    public MemberDisk cutOff(long bytes) throws IOException {
        byte[] all = Files.readAllBytes(segment);
        Files.write(segment, Arrays.copyOf(all, (int) (all.length - bytes)));
        return this;
    }

    public static void flip(Path file, long at) throws IOException {
        byte[] all = Files.readAllBytes(file);
        all[(int) at] ^= 0x10;
        Files.write(file, all);
    }

    private MemberDisk record(int type, Message message) {
        sum.update(message.toByteArray());
        append(frame(WalRecord.newBuilder()
                .setType(type)
                .setCrc((int) sum.getValue())
                .setData(message.toByteString())
                .build()));
        return this;
    }

    private static byte[] frame(WalRecord record) {
        byte[] bytes = record.toByteArray();
        int padding = -bytes.length & 7;
        ByteBuffer frame = ByteBuffer.allocate(8 + bytes.length + padding).order(ByteOrder.LITTLE_ENDIAN);
        frame.putLong(bytes.length).put(bytes);
        if (padding > 0) {
            frame.put(7, (byte) (0x80 | padding));
        }
        return frame.array();
    }

    private void append(byte[] bytes) {
        try {
            Files.write(segment, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
