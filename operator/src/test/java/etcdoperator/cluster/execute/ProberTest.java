package etcdoperator.cluster.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.PeerName;
import etcdoperator.etcd.Answer;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.MetricsHistory;
import etcdoperator.etcd.MetricsReading;
import etcdoperator.etcd.Pace;
import etcdoperator.etcd.ScriptedEtcd;
import etcdoperator.etcd.ScriptedEtcd.Member;
import etcdoperator.etcd.TypicalStatus;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProberTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final ClusterKey CLUSTER = new ClusterKey("ns", "c");
    private static final PeerName PEER = PeerName.parse("c-0");
    private static final Endpoint HERE = Endpoint.plain("10.0.0.1", 2379);
    private static final MetricsReading READING = new MetricsReading(Optional.empty(), 42, 50, false, Map.of());
    private static final Endpoint ELSEWHERE = Endpoint.plain("10.0.0.2", 2379);

    private final ScriptedEtcd etcd = new ScriptedEtcd();
    private final AtomicInteger news = new AtomicInteger();
    private Optional<MetricsReading> metrics = Optional.empty();
    private final AtomicInteger readings = new AtomicInteger();
    private final Prober prober =
            new Prober(etcd, member -> read(), Clock.fixed(NOW, ZoneOffset.UTC), cluster -> news.incrementAndGet());

    @AfterEach
    void close() {
        prober.close();
    }

    @Test
    void theFirstAnswerIsNewsAndTheSameAgainIsNot() {
        watch(HERE);
        awaitAsked(5);
        assertThat(news).hasValue(1);
        assertThat(answers().get(PEER)).isInstanceOfSatisfying(Answer.Spoke.class, spoke -> {
            assertThat(spoke.at()).isEqualTo(NOW);
            assertThat(spoke.isWell()).isTrue();
        });
    }

    @Test
    void aMemberThatIsSilentFromTheStartIsNewsOnce() {
        member().isSilent();
        watch(HERE);
        awaitAsked(4);
        assertThat(news).hasValue(1);
        assertThat(answers().get(PEER)).isEqualTo(new Answer.Silent(NOW, "status: no connection"));
    }

    @Test
    void ofAMemberThatStaysSilentTheMetricsTellWhatItHas() {
        metrics = Optional.of(READING);
        member().isSilent();
        watch(HERE);
        awaitAsked(9);
        assertThat(answers().get(PEER))
                .isEqualTo(new Answer.Silent(
                        NOW,
                        "status: no connection",
                        false,
                        Optional.of(MetricsHistory.of(READING, NOW, Optional.empty()))));
        assertThat(news).hasValue(2);
    }

    /** A cluster at rest costs no request that it did not cost before. */
    @Test
    void metricsOfAMemberThatAnswersAreReadOnlyWhileMembersChange() {
        metrics = Optional.of(READING);
        watch(HERE);
        awaitAsked(4);
        prober.watch(CLUSTER, Map.of(PEER, HERE), Pace.CALM);
        prober.askAgain(CLUSTER);
        assertThat(readings).hasValue(0);
        prober.watch(CLUSTER, Map.of(PEER, HERE), Pace.THOROUGH);
        await().until(() -> answers().get(PEER) instanceof Answer.Spoke spoke
                && spoke.metrics().isPresent());
        awaitAsked(4);
        // The clock stands still, so that it is never time for the next reading.
        assertThat(readings).hasValue(1);
        watch(HERE);
        await().until(() -> answers().get(PEER) instanceof Answer.Spoke spoke
                && spoke.metrics().isEmpty());
    }

    private Optional<MetricsReading> read() {
        readings.incrementAndGet();
        return metrics;
    }

    /** What it denies says nothing of its health. */
    @Test
    void aMemberThatWantsAPasswordIsNotUnwell() {
        member().asksForAPassword();
        watch(HERE);
        awaitAsked(3);
        assertThat(news).hasValue(1);
        assertThat(answers().get(PEER)).isEqualTo(new Answer.Silent(NOW, "linearizable read: who asks?", true));
    }

    /** It answers status and refuses the rest, which would look as if it were unwell. */
    @Test
    void aLearnerIsAskedForItsStatusAlone() {
        var status = ScriptedEtcd.status(1000, 0xa1, 1);
        member().says(TypicalStatus.of(
                status.clusterId(),
                status.memberId(),
                status.version(),
                status.dbSizeBytes(),
                status.leader(),
                true,
                status.raftTerm(),
                status.raftIndex(),
                status.errors()));
        watch(HERE);
        awaitAsked(3);
        assertThat(member().calls).isEmpty();
        assertThat(answers().get(PEER)).isInstanceOfSatisfying(Answer.Spoke.class, spoke -> {
            assertThat(spoke.members()).isEmpty();
            assertThat(spoke.isWell()).isTrue();
        });
    }

    @Test
    void aVoterIsAskedForItsListAndForAQuorum() {
        watch(HERE);
        awaitAsked(1);
        await().untilAsserted(() -> assertThat(member().calls).startsWith("list", "read"));
    }

    @Test
    void askingAgainDoesNotWaitForTheEndOfACalmPause() {
        watch(HERE);
        prober.watch(CLUSTER, Map.of(PEER, HERE), Pace.CALM);
        awaitAsked(1);
        int before = member().asked.get();
        // A calm pause is ten seconds; awaitility gives up before.
        await().atMost(java.time.Duration.ofSeconds(8)).until(() -> {
            prober.askAgain(CLUSTER);
            return member().asked.get() > before + 1;
        });
    }

    @Test
    void whatMovesAllTheTimeIsNoNews() {
        watch(HERE);
        awaitAsked(1);
        member().says(ScriptedEtcd.status(1050, 0xa0, 77));
        awaitAsked(4);
        assertThat(news).hasValue(1);
    }

    @Test
    void anotherLeaderIsNews() {
        watch(HERE);
        awaitAsked(1);
        member().says(ScriptedEtcd.status(1000, 0xa1, 1));
        await().untilAsserted(() -> assertThat(news).hasValue(2));
    }

    @Test
    void oneLostAnswerIsNoise() {
        watch(HERE);
        awaitAsked(1);
        member().isSilentOnce();
        awaitAsked(5);
        assertThat(news).hasValue(1);
    }

    @Test
    void toTheWorriedOneLostAnswerIsNews() {
        watch(HERE);
        awaitAsked(1);
        prober.watch(CLUSTER, Map.of(PEER, HERE), Pace.WORRIED);
        member().isSilentOnce();
        await().untilAsserted(() -> assertThat(news).hasValue(3));
    }

    @Test
    void oneAnswerWithoutLeaderIsNoise() {
        watch(HERE);
        awaitAsked(1);
        member().saysOnce(ScriptedEtcd.status(1000, 0, 1));
        awaitAsked(5);
        assertThat(news).hasValue(1);
    }

    @Test
    void silenceThatLastsIsNewsAndSoIsItsEnd() {
        watch(HERE);
        awaitAsked(1);
        member().isSilent();
        await().untilAsserted(() -> assertThat(news).hasValue(2));
        member().says(ScriptedEtcd.status(1000, 0xa0, 1));
        await().untilAsserted(() -> assertThat(news).hasValue(3));
    }

    @Test
    void aBugInTheClientDoesNotEndTheAsking() {
        watch(HERE);
        awaitAsked(1);
        member().hasABug();
        awaitAsked(4);
        assertThat(answers().get(PEER).isWell()).isTrue();
    }

    @Test
    void anUnchangedMemberIsNotConnectedAnew() {
        watch(HERE);
        watch(HERE);
        prober.watch(CLUSTER, Map.of(PEER, HERE), Pace.CALM);
        awaitAsked(1);
        assertThat(member().connected).hasValue(1);
        assertThat(member().closed).hasValue(0);
    }

    @Test
    void aPodWithANewAddressIsAskedThereAndTheOldConnectionIsClosed() {
        watch(HERE);
        awaitAsked(1);
        watch(ELSEWHERE);
        await().untilAsserted(() -> assertThat(etcd.at(ELSEWHERE).asked).hasPositiveValue());
        await().untilAsserted(() -> assertThat(member().closed).hasValue(1));
        assertThat(etcd.at(ELSEWHERE).closed).hasValue(0);
    }

    @Test
    void anAnswerFromAnOldAddressIsNotKept() {
        watch(HERE);
        awaitAsked(1);
        etcd.at(ELSEWHERE).isSilent();
        watch(ELSEWHERE);
        await().untilAsserted(() -> assertThat(
                        prober.answers(CLUSTER, Map.of(PEER, ELSEWHERE)).get(PEER))
                .isInstanceOf(Answer.Silent.class));
    }

    @Test
    void aForgottenClusterIsNotAskedAnyMore() {
        watch(HERE);
        awaitAsked(1);
        prober.forget(CLUSTER);
        await().untilAsserted(() -> assertThat(member().closed).hasValue(1));
        assertThat(answers()).isEmpty();
    }

    /** An etcd that is told to stop first answers everybody, and without a quorum it has nothing to say. */
    @Test
    void aReadThatIsUnderWayIsGivenUpWithTheMember() {
        member().readsForEver();
        watch(HERE);
        await().until(() -> member().calls.contains("read"));
        prober.forget(CLUSTER);
        await().untilAsserted(() -> assertThat(member().closed).hasValue(1));
    }

    @Test
    void closingClosesEveryConnection() {
        watch(HERE);
        prober.watch(new ClusterKey("ns", "d"), Map.of(PeerName.parse("d-0"), ELSEWHERE), Pace.CALM);
        prober.close();
        await().untilAsserted(() -> {
            assertThat(member().closed).hasValue(1);
            assertThat(etcd.at(ELSEWHERE).closed).hasValue(1);
        });
    }

    @Test
    void goingEagerAsksAtOnceAndNotAtTheEndOfACalmPause() {
        watch(HERE);
        prober.watch(CLUSTER, Map.of(PEER, HERE), Pace.CALM);
        awaitAsked(1);
        int before = member().asked.get();
        watch(HERE);
        // A calm pause is ten seconds; awaitility gives up before.
        await().atMost(java.time.Duration.ofSeconds(8))
                .until(() -> member().asked.get() > before + 1);
    }

    @Test
    void whatWasSaidElsewhereIsNoAnswer() {
        watch(HERE);
        awaitAsked(1);
        assertThat(prober.answers(CLUSTER, Map.of(PEER, ELSEWHERE))).isEmpty();
        assertThat(prober.answers(CLUSTER, Map.of())).isEmpty();
    }

    private Map<PeerName, Answer> answers() {
        return prober.answers(CLUSTER, Map.of(PEER, HERE));
    }

    private Member member() {
        return etcd.at(HERE);
    }

    private void watch(Endpoint endpoint) {
        prober.watch(CLUSTER, Map.of(PEER, endpoint), Pace.EAGER);
    }

    /** Asked so often more, so that whatever was said before has been heard and weighed. */
    private void awaitAsked(int times) {
        int target = member().asked.get() + times + 1;
        await().until(() ->
                member().asked.get() >= target || (times == 1 && answers().containsKey(PEER)));
    }
}
