package etcdoperator.agent.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StillFileTest {
    @TempDir
    Path folder;

    @Test
    void isReadToItsEnd() throws Exception {
        Path file = Files.writeString(folder.resolve("db"), "all of it");
        try (var still = new StillFile(file)) {
            assertThat(still.sizeBytes()).isEqualTo(9);
            assertThat(still.readAllBytes()).asString().isEqualTo("all of it");
        }
    }

    @Test
    void whoeverWritesMeanwhileIsNoticed() throws Exception {
        Path file = Files.writeString(folder.resolve("db"), "all of it");
        try (var still = new StillFile(file)) {
            still.readNBytes(3);
            Files.writeString(file, " and more", StandardOpenOption.APPEND);
            assertThatThrownBy(still::readAllBytes)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("its member has been started");
        }
    }
}
