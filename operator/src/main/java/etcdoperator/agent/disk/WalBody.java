package etcdoperator.agent.disk;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import etcdoperator.agent.disk.proto.RaftEntry;
import etcdoperator.agent.disk.proto.WalRecord;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * A record as it was found behind its length, all of which is in the file.
 *
 * @param record empty if it is not what was written
 * @param sum of all records up to this one
 * @param torn whether a part of it has not reached the disk
 */
record WalBody(Optional<WalRecord> record, int sum, boolean torn) {
    /** Of a larger record only the position of its entry is kept. A request may be larger than the agent's memory. */
    private static final long LARGEST_KEPT = 1 << 20;

    private static final int BUFFER = 1 << 16;

    /** What a disk writes as a whole or not at all. */
    private static final int SECTOR = 512;

    /**
     * @param begin of the record in its file
     * @param before the sum of all records before it
     */
    static WalBody read(InputStream in, WalFrame frame, long begin, int before) throws IOException {
        return frame.bytes() <= LARGEST_KEPT
                ? readWhole(in, frame, begin, before)
                : new InPieces(in, frame, begin).read(before);
    }

    private static WalBody readWhole(InputStream in, WalFrame frame, long begin, int before) throws IOException {
        byte[] bytes = take(in, (int) frame.bytes());
        try {
            WalRecord record = WalRecord.parser().parseFrom(bytes, 0, (int) frame.recordBytes());
            if (record.getType() == WalReader.SUM) {
                return new WalBody(Optional.of(record), before, false);
            }
            int sum = Castagnoli.update(before, record.getData().toByteArray());
            if (sum == record.getCrc()) {
                return new WalBody(Optional.of(record), sum, false);
            }
        } catch (InvalidProtocolBufferException e) {
            // Not what was written.
        }
        return bad(frame, bytes, lacksSector(bytes, begin), before);
    }

    private static WalBody bad(WalFrame frame, byte[] bytes, boolean lacksSector, int before) {
        return new WalBody(Optional.empty(), before, lacksSector && !RecordStart.contradicts(frame, bytes));
    }

    /** A sector that has not reached the disk is zero still. */
    private static boolean lacksSector(byte[] bytes, long begin) {
        int from = 0;
        while (from < bytes.length) {
            int to = (int) Math.min(bytes.length, from + SECTOR - (begin + from) % SECTOR);
            if (isZero(bytes, from, to)) {
                return true;
            }
            from = to;
        }
        return false;
    }

    static boolean isZero(byte[] bytes, int from, int to) {
        return Arrays.equals(bytes, from, to, new byte[to - from], 0, to - from);
    }

    private static byte[] take(InputStream in, int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException("a file of the log has become shorter");
        }
        return bytes;
    }

    /** Reads a record that may not fit into memory. */
    private static final class InPieces {
        private final InputStream in;
        private final WalFrame frame;
        private final long begin;
        private boolean lacksSector;

        InPieces(InputStream in, WalFrame frame, long begin) {
            this.in = in;
            this.frame = frame;
            this.begin = begin;
        }

        WalBody read(int before) throws IOException {
            byte[] first = next(0);
            Optional<RecordStart> found = RecordStart.of(first).filter(start -> start.isOf(frame));
            int sum = Castagnoli.update(
                    before, first, found.map(RecordStart::bytes).orElse(0), first.length);
            for (long at = first.length; at < frame.bytes(); ) {
                byte[] piece = next(at);
                // Padding is in no sum.
                long data = Math.clamp(frame.recordBytes() - at, 0, piece.length);
                sum = Castagnoli.update(sum, piece, 0, (int) data);
                at += piece.length;
            }
            return found.isPresent() && found.get().crc() == sum
                    ? new WalBody(Optional.of(withoutPayload(first, found.get())), sum, false)
                    : bad(frame, first, lacksSector, before);
        }

        /** Up to the end of a sector. */
        private byte[] next(long at) throws IOException {
            byte[] piece = take(in, (int) Math.min(BUFFER - (begin + at) % SECTOR, frame.bytes() - at));
            lacksSector |= lacksSector(piece, begin + at);
            return piece;
        }

        private static WalRecord withoutPayload(byte[] first, RecordStart start) throws IOException {
            var in = CodedInputStream.newInstance(first, start.bytes(), first.length - start.bytes());
            var entry = RaftEntry.newBuilder();
            boolean isRequest = start.type() == WalReader.ENTRY && readRequest(in, entry, start.dataBytes());
            if (!isRequest) {
                throw new UnusableDiskException("has a record in its log that etcd does not write: %d bytes of kind %d"
                        .formatted(start.dataBytes(), start.type()));
            }
            return WalRecord.newBuilder()
                    .setType(start.type())
                    .setCrc(start.crc())
                    .setData(entry.build().toByteString())
                    .build();
        }

        /** Reads up to the payload, which is the last field. Changes of members are small. */
        private static boolean readRequest(CodedInputStream in, RaftEntry.Builder entry, long bytes)
                throws IOException {
            while (true) {
                int tag = in.readTag();
                switch (WireFormat.getTagFieldNumber(tag)) {
                    case RaftEntry.TYPE_FIELD_NUMBER -> entry.setType(in.readInt64());
                    case RaftEntry.TERM_FIELD_NUMBER -> entry.setTerm(in.readUInt64());
                    case RaftEntry.INDEX_FIELD_NUMBER -> entry.setIndex(in.readUInt64());
                    case RaftEntry.DATA_FIELD_NUMBER -> {
                        long payload = in.readRawVarint64();
                        return in.getTotalBytesRead() + payload == bytes && entry.getType() == RaftMembers.REQUEST;
                    }
                    default -> {
                        return false;
                    }
                }
            }
        }
    }
}
