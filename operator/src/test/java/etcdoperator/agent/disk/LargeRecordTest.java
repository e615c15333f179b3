package etcdoperator.agent.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.agent.MemberDisk;
import etcdoperator.agent.disk.proto.WalRecord;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that do not fit into the agent's memory: a request may be as large as etcd's --max-request-bytes allows. */
class LargeRecordTest {
    private static final int LARGE = 40 << 20;
    private static final int BUFFER = 1 << 16;

    @TempDir
    Path volume;

    private final RaftPosition end = new RaftPosition(1, 12);

    @ParameterizedTest
    @ValueSource(ints = {BUFFER - 100, BUFFER, (1 << 20) - 30, 1 << 20, (1 << 20) + 1, (3 << 20) + 512, LARGE})
    void anEntryOfAnySizeIsRead(int size) throws IOException {
        disk().entry(1, 10, size).entries(1, 11, 12).state(1, 11).zeros(1000);
        assertThat(survey().last()).isEqualTo(end);
        assertThat(survey().doubtful()).isEqualTo(1);
    }

    @Test
    void theFileThatFollowsGoesOnFromItsSum() throws IOException {
        disk().entry(1, 10, LARGE).cut(11).entries(1, 11, 12);
        assertThat(survey().last()).isEqualTo(end);
        Path copy = volume.resolve("copy");
        new DiskCopy(survey(), copy).make();
        assertThat(DiskSurvey.of(copy).state().getCommit()).isEqualTo(12);
    }

    @Test
    void itsPayloadIsNotKept() throws IOException {
        MemberDisk disk = disk().entry(1, 10, LARGE);
        long largest = 0;
        try (var reader = new WalReader(WalSegment.in(disk.segment().getParent()))) {
            for (Optional<WalRecord> next = reader.next(); next.isPresent(); next = reader.next()) {
                largest = Math.max(largest, next.get().getSerializedSize());
            }
        }
        assertThat(largest).isLessThan(1000);
    }

    @ParameterizedTest
    @ValueSource(longs = {3, 700, LARGE / 2, LARGE - 1000, LARGE + 30})
    void theEndMayBeMissing(long bytes) throws IOException {
        disk().entry(1, 10, LARGE).cutOff(bytes);
        assertThat(survey().last()).isEqualTo(new RaftPosition(1, 9));
    }

    /** The file had its length before: sectors at the end of the record have not reached the disk. */
    @ParameterizedTest
    @ValueSource(ints = {700, 100_000, LARGE - 1000})
    void theEndMayBeTorn(int bytes) throws IOException {
        MemberDisk disk = disk().entry(1, 10, LARGE).cutOff(bytes).zeros(bytes + 4096);
        DiskSurvey survey = survey();
        assertThat(survey.last()).isEqualTo(new RaftPosition(1, 9));
        assertThat(survey.goodBytes()).isLessThan(Files.size(disk.segment()) - LARGE);
    }

    @Test
    void onlyTheEndMayBeTorn() throws IOException {
        disk().entry(1, 10, LARGE).cutOff(704).zeros(704).entries(1, 11, 12);
        assertDamaged();
    }

    @Test
    void aFileThatAnotherFollowsMayNotBeTorn() throws IOException {
        disk().entry(1, 10, LARGE).cutOff(704).cut(11).entries(1, 11, 12);
        assertDamaged();
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 100, LARGE / 2, LARGE - 10})
    void aBitThatHasTurnedIsNoticed(int behindItsStart) throws IOException {
        MemberDisk disk = disk();
        long start = Files.size(disk.segment());
        disk.entry(1, 10, LARGE).entries(1, 11, 12);
        MemberDisk.flip(disk.segment(), start + behindItsStart);
        assertDamaged();
    }

    /**
     * The length says that the record goes on behind the end of the file. etcd would discard it and all that follows;
     * but what the record says of itself contradicts that, so it was written whole.
     */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6})
    void aLengthThatTheRecordContradictsIsDamage(int byteOfLength) throws IOException {
        MemberDisk disk = disk();
        long start = Files.size(disk.segment());
        disk.entries(1, 10, 12);
        MemberDisk.flip(disk.segment(), start + byteOfLength);
        assertDamaged();
    }

    /** As above, where the file goes on with zeros, so that the record seems to lack sectors. */
    @Test
    void aLengthIntoWhatIsReservedIsDamage() throws IOException {
        MemberDisk disk = disk();
        long start = Files.size(disk.segment());
        disk.entries(1, 10, 12).zeros(2 << 20);
        MemberDisk.flip(disk.segment(), start + 2);
        assertDamaged();
    }

    @Test
    void ofALengthBehindTheEndWithoutARecordItIsTorn() throws IOException {
        MemberDisk disk = disk();
        long start = Files.size(disk.segment());
        disk.zeros(4096);
        try (var file = new RandomAccessFile(disk.segment().toFile(), "rw")) {
            file.seek(start + 4);
            file.write(1); // 4 GiB
        }
        assertThat(survey().last()).isEqualTo(new RaftPosition(1, 9));
    }

    @Test
    void aChangeOfMembersIsNeverThatLarge() throws IOException {
        disk().change(1, 10, 0, 2, LARGE);
        assertThatThrownBy(this::survey)
                .isInstanceOf(UnusableDiskException.class)
                .hasMessageContaining("has a record in its log that etcd does not write");
    }

    private MemberDisk disk() {
        return MemberDisk.ofVoter(volume).entries(1, 2, 9);
    }

    private DiskSurvey survey() throws IOException {
        return DiskSurvey.of(volume.resolve("data"));
    }

    private void assertDamaged() {
        assertThatThrownBy(this::survey)
                .isInstanceOf(UnusableDiskException.class)
                .hasMessageContaining("has a damaged log");
    }
}
