package etcdoperator.agent.disk;

import etcdoperator.agent.disk.proto.WalRecord;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a member's log record by record, as etcd does: every record is checked by a sum that runs on from file to file,
 * and only the very end may be torn, because a member that was killed was writing there. It reads, and never writes.
 */
public final class WalReader implements AutoCloseable {
    public static final int METADATA = 1;
    public static final int ENTRY = 2;
    public static final int STATE = 3;
    public static final int SUM = 4;
    public static final int SNAPSHOT = 5;

    private static final int BUFFER = 1 << 16;

    private final List<WalSegment> segments;
    private int current = -1;
    private @Nullable InputStream in;
    private long size;
    private long offset;
    private int sum;
    private boolean summed;
    private boolean ended;

    WalReader(List<WalSegment> segments) {
        this.segments = segments;
    }

    /** Empty at the end of the log. */
    Optional<WalRecord> next() throws IOException {
        while (!ended) {
            if (in == null) {
                open();
            }
            Optional<WalRecord> record = read();
            if (record.isPresent() && record.get().getType() == SUM) {
                begin(record.get().getCrc());
            } else if (record.isPresent()) {
                return record;
            } else {
                close();
                ended = ended || current == segments.size() - 1;
            }
        }
        return Optional.empty();
    }

    WalSegment segment() {
        return segments.get(current);
    }

    /** How far the file that was read last is good: behind it there is nothing, or what was torn. */
    long goodBytes() {
        return offset;
    }

    /** Of all that was read: what is written next goes on from it. */
    int sum() {
        return sum;
    }

    @Override
    public void close() throws IOException {
        if (in != null) {
            in.close();
            in = null;
        }
    }

    private void open() throws IOException {
        current++;
        var file = new StillFile(segment().file());
        size = file.sizeBytes();
        offset = 0;
        in = new BufferedInputStream(file, BUFFER);
    }

    /** The first record of a file says with what sum the one before it ended. */
    private void begin(int told) throws UnusableDiskException {
        if (summed && told != sum) {
            throw damaged();
        }
        sum = told;
        summed = true;
    }

    /** Empty at the end of the file: files are made longer than what is in them, and the rest is zero. */
    private Optional<WalRecord> read() throws IOException {
        byte[] header = take(WalFrame.HEADER);
        if (header.length < WalFrame.HEADER) {
            return header.length == 0 ? Optional.empty() : atEnd();
        }
        long length = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getLong();
        if (length == 0) {
            return Optional.empty();
        }
        WalFrame frame = WalFrame.of(length);
        if (frame.bytes() > size - offset - WalFrame.HEADER) {
            // As etcd judges it, unless what is there of the record says that the length is wrong.
            return RecordStart.contradicts(frame, take(RecordStart.LONGEST)) ? fail() : atEnd();
        }
        WalBody body = WalBody.read(Objects.requireNonNull(in), frame, offset + WalFrame.HEADER, sum);
        if (body.record().isEmpty()) {
            return body.torn() ? torn() : fail();
        }
        sum = body.sum();
        offset += WalFrame.HEADER + frame.bytes();
        return body.record();
    }

    private byte[] take(int most) throws IOException {
        return in == null ? new byte[0] : in.readNBytes(most);
    }

    /** Only at the very end of the log: what follows there must be nothing, or it was not written last. */
    private Optional<WalRecord> torn() throws IOException {
        for (byte[] rest = take(BUFFER); rest.length > 0; rest = take(BUFFER)) {
            if (!WalBody.isZero(rest, 0, rest.length)) {
                return fail();
            }
        }
        return atEnd();
    }

    private Optional<WalRecord> atEnd() throws UnusableDiskException {
        if (current < segments.size() - 1) {
            return fail();
        }
        ended = true;
        return Optional.empty();
    }

    private Optional<WalRecord> fail() throws UnusableDiskException {
        throw damaged();
    }

    private UnusableDiskException damaged() {
        return new UnusableDiskException("has a damaged log: %s makes no sense at byte %d"
                .formatted(segment().file().getFileName(), offset));
    }
}
