package io.improbable.etcd.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.improbable.etcd.etcd.EtcdException;
import io.improbable.etcd.etcd.HttpV2Keys;
import io.improbable.etcd.etcd.V2Keys;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Data of etcd 2, on the lines that can still have some. */
@ParameterizedClass
@ValueSource(strings = {"3.4.23", "3.5.35"})
class RealV2KeysIT extends EtcdTrial {
    private static final V2Keys KEYS = new HttpV2Keys();

    @Parameter
    String version;

    private ProcessStage processes;

    @Override
    EtcdStage open() {
        processes = new ProcessStage(EtcdBinary.of(version));
        return processes;
    }

    @Test
    void whoDoesNotServeThemHasNoneToBeSeen() throws EtcdException {
        formAlone();
        assertThat(KEYS.existAt(processes.endpoint("a"), DEADLINE)).isFalse();
    }

    @Test
    void whoServesThemShowsThem() throws EtcdException {
        processes.also("--enable-v2=true");
        formAlone();
        assertThat(stage.write("a", 1)).isTrue();
        assertThat(KEYS.existAt(processes.endpoint("a"), DEADLINE)).isFalse();
        processes.writeV2("a", "folder/key");
        assertThat(KEYS.existAt(processes.endpoint("a"), DEADLINE)).isTrue();
    }

    private void formAlone() {
        stage.start(stage.flags("a", List.of("a"), "new", TOKEN));
        awaitWell("a");
    }
}
