package etcdoperator.agent;

import static etcdoperator.agent.ScriptedMember.alone;
import static etcdoperator.agent.ScriptedMember.learning;
import static etcdoperator.agent.ScriptedMember.withQuorum;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.agent.AgentTrial.Result;
import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.ExitCodes;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which member an agent takes a snapshot from. */
class MemberChoiceTest {
    private static final long OURS = 0xc1;

    @TempDir
    Path folder;

    /** It is cut off from the others, or slow, and answers all the same. */
    @Test
    void aMemberThatLagsBehindIsPassedOver() {
        AgentReport report = backup(alone(OURS, 70), withQuorum(OURS, 77));
        assertThat(report.revision()).isEqualTo(77);
        assertThat(report.unconfirmed()).isNull();
    }

    @Test
    void withoutAQuorumTheOneWithMostIsTakenAndTheReportSaysSo() {
        AgentReport report = backup(alone(OURS, 70), alone(OURS, 77), learning(OURS, 99));
        assertThat(report.revision()).isEqualTo(77);
        assertThat(report.unconfirmed()).isTrue();
    }

    /** On its volume there is the data of another cluster. */
    @Test
    void aMemberOfAnotherClusterIsPassedOver() {
        assertThat(run("--cluster-id=c1", withQuorum(0xbad, 99), alone(OURS, 77))
                        .report()
                        .revision())
                .isEqualTo(77);
        Result nobody = run("--cluster-id=c1", withQuorum(0xbad, 99));
        assertThat(nobody.exitCode()).isEqualTo(ExitCodes.FOR_NOW);
        assertThat(nobody.message()).contains("it belongs to etcd cluster bad, not to c1");
    }

    @Test
    void aLearnerIsBetterThanNothing() {
        AgentReport report = backup(learning(OURS, 70));
        assertThat(report.revision()).isEqualTo(70);
        assertThat(report.unconfirmed()).isTrue();
    }

    private AgentReport backup(ScriptedMember... members) {
        return run("--namespace=ns", members).report();
    }

    private Result run(String flag, ScriptedMember... members) {
        try {
            return new AgentTrial(folder)
                    .run(
                            new BackupCommand(),
                            "--endpoints="
                                    + Arrays.stream(members)
                                            .map(ScriptedMember::url)
                                            .collect(Collectors.joining(",")),
                            "--folder=" + folder,
                            "--path=x.db",
                            "--time=2026-01-31T12:00:00Z",
                            flag);
        } finally {
            Arrays.stream(members).forEach(ScriptedMember::close);
        }
    }
}
