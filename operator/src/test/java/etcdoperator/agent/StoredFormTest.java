package etcdoperator.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.agent.crypto.EncryptedOutput;
import etcdoperator.agent.crypto.EncryptionHeader;
import etcdoperator.agent.crypto.EncryptionKey;
import etcdoperator.agent.crypto.Frames;
import etcdoperator.agentreport.AgentException;
import etcdoperator.agentreport.CorruptSnapshotException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoredFormTest {
    private static final byte[] SNAPSHOT = large();

    @ParameterizedTest
    @CsvSource({"NONE,false", "GZIP,false", "NONE,true", "GZIP,true"})
    void whatWasDoneToItIsToldByItsFirstBytes(Compression compression, boolean encrypted) throws Exception {
        Optional<EncryptionKey> key = encrypted ? Optional.of(key(1)) : Optional.empty();
        byte[] stored = stored(SNAPSHOT, compression, key);
        StoredForm form = StoredForm.open(new ByteArrayInputStream(stored), key);
        assertThat(form.compression()).isEqualTo(compression);
        assertThat(form.encrypted()).isEqualTo(encrypted);
        assertThat(form.content().readAllBytes()).isEqualTo(SNAPSHOT);
    }

    @Test
    void aKeyThatNobodyAskedForIsNoMistake() throws Exception {
        var plain = new ByteArrayInputStream(SNAPSHOT);
        assertThat(StoredForm.open(plain, Optional.of(key(1))).content().readAllBytes())
                .isEqualTo(SNAPSHOT);
    }

    @Test
    void anotherKeyIsToldFromDamage() throws Exception {
        byte[] stored = stored(SNAPSHOT, Compression.NONE, Optional.of(key(1)));
        assertThatThrownBy(() -> StoredForm.open(new ByteArrayInputStream(stored), Optional.of(key(2))))
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("encrypted with another key");
        assertThatThrownBy(() -> StoredForm.open(new ByteArrayInputStream(stored), Optional.empty()))
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("no key is given");
    }

    /** Also at the end of a frame, where only the missing mark of the last one tells. */
    @ParameterizedTest
    @ValueSource(ints = {1, 100, 65_552, 65_553, 2 * 65_552, 200_000})
    void whatIsCutOffIsNoticed(int missing) throws Exception {
        byte[] stored = stored(SNAPSHOT, Compression.NONE, Optional.of(key(1)));
        byte[] cut = Arrays.copyOf(stored, stored.length - missing);
        assertThatThrownBy(() -> readAll(cut, key(1))).isInstanceOf(CorruptSnapshotException.class);
        byte[] zipped = stored(SNAPSHOT, Compression.GZIP, Optional.empty());
        byte[] half = Arrays.copyOf(zipped, zipped.length / 2);
        assertThatThrownBy(() -> readAll(half, key(1))).isInstanceOf(CorruptSnapshotException.class);
    }

    @Test
    void framesCannotBeChangedMovedOrLeftOut() throws Exception {
        byte[] stored = stored(SNAPSHOT, Compression.NONE, Optional.of(key(1)));
        int frame = Frames.SIZE + Frames.TAG;
        byte[] flipped = stored.clone();
        flipped[EncryptionHeader.LENGTH + frame + 5] ^= 1;
        assertThatThrownBy(() -> readAll(flipped, key(1))).hasMessageContaining("changed or cut off");
        byte[] swapped = stored.clone();
        System.arraycopy(stored, EncryptionHeader.LENGTH, swapped, EncryptionHeader.LENGTH + frame, frame);
        assertThatThrownBy(() -> readAll(swapped, key(1))).isInstanceOf(CorruptSnapshotException.class);
    }

    @Test
    void theSameIsNeverEncryptedTheSameWay() throws Exception {
        assertThat(stored(SNAPSHOT, Compression.NONE, Optional.of(key(1))))
                .isNotEqualTo(stored(SNAPSHOT, Compression.NONE, Optional.of(key(1))));
    }

    @Test
    void somethingElseIsNotTakenForASnapshot() {
        assertThatThrownBy(() -> readAll("hello".getBytes(), key(1))).hasMessageContaining("no snapshot of etcd's");
        assertThatThrownBy(() -> readAll(new byte[0], key(1))).hasMessageContaining("no snapshot of etcd's");
    }

    @Test
    void keysAreThirtyTwoBytesInBase64() {
        assertThatThrownBy(() -> EncryptionKey.parse("c2hvcnQ=")).hasMessageContaining("32 bytes");
        assertThatThrownBy(() -> EncryptionKey.parse("no base64!")).hasMessageContaining("32 bytes");
    }

    private static byte[] readAll(byte[] stored, EncryptionKey key) throws IOException, AgentException {
        return StoredForm.open(new ByteArrayInputStream(stored), Optional.of(key))
                .content()
                .readAllBytes();
    }

    private static byte[] stored(byte[] snapshot, Compression compression, Optional<EncryptionKey> key)
            throws IOException {
        var stored = new ByteArrayOutputStream();
        OutputStream sealed = key.isPresent() ? new EncryptedOutput(stored, key.get()) : stored;
        try (OutputStream out = compression.over(sealed)) {
            out.write(snapshot);
        }
        return stored.toByteArray();
    }

    private static EncryptionKey key(int seed) throws AgentException {
        byte[] bytes = new byte[EncryptionKey.SIZE];
        bytes[0] = (byte) seed;
        return EncryptionKey.parse(Base64.getEncoder().encodeToString(bytes));
    }

    private static byte[] large() {
        var file = new BoltFile();
        int keys = file.leaf(BoltFile.revision(2, 300_000), BoltFile.revision(3, 5));
        return BoltFile.snapshot(file.withRoot(file.leaf(BoltFile.bucket("key", keys))));
    }
}
