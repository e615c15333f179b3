package etcdoperator.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.agentreport.CorruptSnapshotException;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotCheckTest {
    private final byte[] snapshot = BoltFile.snapshotOf(7);

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 31, 32, 33, 4096, 1 << 20})
    void whatFitsItsHashIsGoodHoweverItComes(int chunk) throws CorruptSnapshotException {
        SnapshotCheck.Found found = checked(snapshot, chunk).verify();
        assertThat(found.sizeBytes()).isEqualTo(snapshot.length);
        assertThat(found.revision()).hasValue(7);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 9000, 16_390})
    void oneBitIsEnough(int at) {
        byte[] flipped = snapshot.clone();
        flipped[at] ^= 4;
        assertThatThrownBy(() -> checked(flipped, 1000).verify()).hasMessageContaining("is corrupt");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 32, 40, 4096})
    void whatIsCutOffIsNotWhole(int missing) {
        byte[] cut = Arrays.copyOf(snapshot, snapshot.length - missing);
        assertThatThrownBy(() -> checked(cut, 1000).verify()).isInstanceOf(CorruptSnapshotException.class);
    }

    private static SnapshotCheck checked(byte[] bytes, int chunk) {
        var check = new SnapshotCheck();
        for (int at = 0; at < bytes.length; at += chunk) {
            check.update(bytes, at, Math.min(chunk, bytes.length - at));
        }
        return check;
    }
}
