package etcdoperator.agent;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.agent.AgentTrial.Result;
import etcdoperator.agentreport.ExitCodes;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnreachedTest {
    @TempDir
    Path folder;

    /** One without a port has the usual one. */
    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:1, http://127.0.0.1:1: status: no connection",
        "http://127.255.0.1/, http://127.255.0.1:2379: "
    })
    void whoeverCannotBeReachedMayBeLater(String endpoint, String told) {
        Result nobody = new AgentTrial(folder)
                .run(
                        new BackupCommand(),
                        "--endpoints=" + endpoint,
                        "--folder=" + folder,
                        "--path=x",
                        "--time=2026-01-31T12:00:00Z");
        assertThat(nobody.exitCode()).isEqualTo(ExitCodes.UNANSWERED);
        assertThat(nobody.message()).contains(told);
    }
}
