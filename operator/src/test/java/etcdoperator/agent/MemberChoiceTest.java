package etcdoperator.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.agentreport.AgentException;
import etcdoperator.agentreport.ExitCodes;
import etcdoperator.domain.ClusterId;
import etcdoperator.etcd.Endpoint;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which member gives the snapshot. */
class MemberChoiceTest {
    private static final long OURS = 0xc1;
    private static final Optional<ClusterId> EXPECTED = Optional.of(new ClusterId(OURS));
    private ScriptedMember first = ScriptedMember.of(OURS, 40);
    private ScriptedMember second = ScriptedMember.of(OURS, 50);

    @AfterEach
    void stop() {
        first.close();
        second.close();
    }

    @Test
    void theFirstWhileItHasAllThatAQuorumHas() throws Exception {
        assertThat(chosen()).isEqualTo(first.endpoint().url().toString());
    }

    /** A linearizable read through it waits until it has caught up. */
    @Test
    void oneThatIsBehindIsPassedOver() throws Exception {
        first.isBehind();
        assertThat(chosen()).isEqualTo(second.endpoint().url().toString());
    }

    @Test
    void withoutAQuorumTheOneWithTheHighestRevision() throws Exception {
        first.isBehind();
        second.isBehind();
        assertThat(chosen()).isEqualTo(second.endpoint().url().toString());
    }

    @Test
    void withoutAQuorumTheNextOneWhereThatGivesNone() throws Exception {
        first.isBehind();
        second.isBehind();
        second.givesNoSnapshot();
        assertThat(chosen()).isEqualTo(first.endpoint().url().toString());
    }

    /** It runs on a volume that was used before. */
    @Test
    void oneOfAnotherEtcdClusterIsNeverAsked() throws Exception {
        first.close();
        first = ScriptedMember.of(0xbad, 900);
        assertThat(chosen()).isEqualTo(second.endpoint().url().toString());
        second.close();
        assertThatThrownBy(this::chosen)
                .isInstanceOfSatisfying(
                        AgentException.class,
                        e -> assertThat(e.exitCode())
                                .as("no member is stopped for it")
                                .isEqualTo(ExitCodes.FOR_NOW))
                .hasMessageContaining("answers for etcd cluster bad, and c1 is to be backed up");
    }

    @Test
    void anyEtcdClusterWhereNoneIsExpected() throws Exception {
        try (MemberSource source = new MemberChoice(Optional.empty()).among(List.of(first.endpoint()))) {
            assertThat(source.clusterId()).contains("c1");
        }
    }

    @Test
    void whereNoneAnswersAMemberMayBeStopped() {
        first.close();
        second.close();
        assertThatThrownBy(this::chosen)
                .isInstanceOfSatisfying(
                        AgentException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCodes.UNANSWERED));
    }

    private String chosen() throws AgentException {
        List<Endpoint> endpoints =
                Stream.of(first, second).map(ScriptedMember::endpoint).toList();
        try (MemberSource source = new MemberChoice(EXPECTED).among(endpoints)) {
            return source.place();
        }
    }
}
