package etcdoperator.agent.disk;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import etcdoperator.agent.disk.proto.WalRecord;
import java.io.IOException;
import java.util.Optional;

/**
 * The fields of a record before its data, in the order in which etcd writes them.
 *
 * @param bytes the size of these fields
 */
record RecordStart(long type, int crc, long dataBytes, int bytes) {
    /** The most that these fields take. */
    static final int LONGEST = 32;

    private static final int TYPE = varint(WalRecord.TYPE_FIELD_NUMBER);
    private static final int CRC = varint(WalRecord.CRC_FIELD_NUMBER);
    private static final int DATA = tag(WalRecord.DATA_FIELD_NUMBER, WireFormat.WIRETYPE_LENGTH_DELIMITED);

    /** Empty if the record has no data or does not begin as etcd writes it. */
    static Optional<RecordStart> of(byte[] record) {
        var in = CodedInputStream.newInstance(record, 0, Math.min(record.length, LONGEST));
        try {
            if (in.readTag() != TYPE) {
                return Optional.empty();
            }
            long type = in.readInt64();
            if (in.readTag() != CRC) {
                return Optional.empty();
            }
            int crc = in.readUInt32();
            if (in.readTag() != DATA) {
                return Optional.empty();
            }
            long dataBytes = in.readRawVarint64();
            int bytes = in.getTotalBytesRead();
            // etcd writes no such last byte: the next sector has not reached the disk.
            return record[bytes - 1] == 0
                    ? Optional.empty()
                    : Optional.of(new RecordStart(type, crc, dataBytes, bytes));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /**
     * Whether these bytes begin a record of another size than its length says. Then the length is wrong, and the record
     * was not cut off: a write that was interrupted leaves what is true or zero.
     */
    static boolean contradicts(WalFrame frame, byte[] record) {
        return of(record).filter(start -> !start.isOf(frame)).isPresent();
    }

    boolean isOf(WalFrame frame) {
        return bytes + dataBytes == frame.recordBytes();
    }

    private static int varint(int field) {
        return tag(field, WireFormat.WIRETYPE_VARINT);
    }

    private static int tag(int field, int wireType) {
        return field << 3 | wireType;
    }
}
