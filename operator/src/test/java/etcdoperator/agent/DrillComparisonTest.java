package etcdoperator.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import etcdoperator.agent.DrillCommand.Comparison;
import etcdoperator.agentreport.AgentException;
import etcdoperator.agentreport.AgentReport.Contents;
import etcdoperator.agentreport.ExitCodes;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DrillComparisonTest {
    private static final Contents FOUND = new Contents(4_000_000_000L, 3, 5);

    @Test
    void whatIsTheSamePasses() throws AgentException {
        assertThat(verdict(FOUND)).contains("revision 7", "5 keys", "4000000000");
    }

    @Test
    void anotherNumberOfKeysFails() {
        assertThatExceptionOfType(AgentException.class)
                .isThrownBy(() -> verdict(new Contents(4_000_000_000L, 3, 6)))
                .withMessageContaining("holds 5 keys")
                .withMessageContaining("6 were counted")
                .satisfies(refused -> assertThat(refused.exitCode()).isEqualTo(ExitCodes.FATAL));
    }

    @Test
    void anotherHashFails() {
        assertThatExceptionOfType(AgentException.class)
                .isThrownBy(() -> verdict(new Contents(1, 3, 5)))
                .withMessageContaining("have the hash 4000000000, and 1 was recorded");
    }

    /** The cluster was compacted between the snapshot and the question. */
    @Test
    void hashesOfDifferentCompactionsAreNotCompared() throws AgentException {
        assertThat(verdict(new Contents(1, 4, 5))).contains("5 keys", "hash was not compared", "up to revision 4");
        assertThatExceptionOfType(AgentException.class)
                .isThrownBy(() -> verdict(new Contents(1, 4, 6)))
                .withMessageContaining("6 were counted");
    }

    @Test
    void whereNothingWasRecordedThatIsSaid() throws AgentException {
        assertThat(new Comparison(7, Optional.empty(), FOUND).verdict())
                .contains("revision 7 and 5 keys", "not recorded");
    }

    private static String verdict(Contents recorded) throws AgentException {
        return new Comparison(7, Optional.of(recorded), FOUND).verdict();
    }
}
