package etcdoperator.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import etcdoperator.domain.Promotion;
import etcdoperator.etcd.EtcdException;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.rules.Invariant;
import etcdoperator.simulation.rules.Violation;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** Two disks of three are lost half a second apart, so that the second goes while a learner takes the place of the first. */
class TwoDisksTest {
    private static final int WORLDS = 8;

    /** How far the learner has come when the second disk is lost. */
    enum Learner {
        LISTED,
        STARTED,
        SEALED
    }

    @BeforeAll
    static void quiet() {
        ((Logger) LoggerFactory.getLogger("etcdoperator")).setLevel(Level.OFF);
    }

    static Stream<Arguments> everyMoment() {
        return worlds().boxed()
                .flatMap(seed -> Stream.of(Learner.values()).map(learner -> Arguments.of(seed, learner)));
    }

    static LongStream worlds() {
        return LongStream.iterate(1, seed -> seed + 1).filter(TwoDisks::fits).limit(WORLDS);
    }

    @ParameterizedTest
    @MethodSource("everyMoment")
    void theSurvivorsDataIsAllThere(long seed, Learner learner) {
        var history = new TwoDisks(seed);
        history.lose("c-0");
        history.goOnUntil(() -> isThere(learner, history));
        List<Integer> left = history.dataOn("c-2").everyWrite();
        history.lose("c-1");
        history.isWhole();
        assertThat(history.world().etcd().read(history.cluster()).orElseThrow()).containsAll(left);
        assertThat(history.rules().recovery().count()).isEqualTo(1);
    }

    /** An administrator promotes the learner. While its node is away, only disks tell. */
    @Test
    void aLearnerThatWasPromotedByHandIsHeard() throws EtcdException {
        TwoDisks history = promotedByHand();
        history.rest();
        history.everyNodeComesBack();
        history.goOnUntil(() -> isRecorded(Promotion.FOUND, history));
        history.isWhole();
        assertThat(history.rules().recovery().count()).isZero();
    }

    @Test
    void anAgentThatDoesNotTellOfThePromotionIsFoundOut() throws EtcdException {
        TwoDisks history = promotedByHand();
        history.world().agentWork().tellOfVoters(voters -> List.of(voters.getFirst()));
        history.rest();
        history.everyNodeComesBack();
        assertThatThrownBy(history::isWhole)
                .isInstanceOfSatisfying(
                        Violation.class,
                        violation -> assertThat(violation.invariant()).isEqualTo(Invariant.RECOVERS_ONLY_THE_LOST));
    }

    private static TwoDisks promotedByHand() throws EtcdException {
        for (long seed : worlds().toArray()) {
            var history = new TwoDisks(seed);
            history.lose("c-0");
            history.goOnUntil(() -> isThere(Learner.STARTED, history));
            if (history.isAlone("c-0")) {
                history.promoteByHand();
                history.cutOff("c-0");
                history.kill("c-2");
                history.lose("c-1");
                return history;
            }
        }
        throw new AssertionError("the learner shares its node in every world");
    }

    private static boolean isThere(Learner learner, TwoDisks history) {
        return history.isLearning()
                && history.claims("c-0").anyMatch(claim -> switch (learner) {
                    case LISTED -> true;
                    case STARTED -> history.world().nodes().volume(claim).user().isPresent();
                    case SEALED -> said(claim, Labels.MEMBER_ID) != null;
                });
    }

    private static boolean isRecorded(Promotion promotion, TwoDisks history) {
        return history.claims("c-0").anyMatch(claim -> promotion.word().equals(said(claim, Labels.PROMOTION)));
    }

    private static String said(PersistentVolumeClaim claim, String annotation) {
        return claim.getMetadata().getAnnotations().get(annotation);
    }
}
