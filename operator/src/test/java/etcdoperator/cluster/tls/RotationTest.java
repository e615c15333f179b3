package etcdoperator.cluster.tls;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.cluster.view.Issuance.Turn;
import etcdoperator.cluster.view.Problem;
import etcdoperator.tls.Authority;
import etcdoperator.tls.CertificateView;
import etcdoperator.tls.TrustBundle;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RotationTest {
    private static final Instant MADE = Instant.parse("2026-01-01T12:00:00Z");
    private static final Duration YEAR = Duration.ofDays(360);
    private static final Duration MONTH = Duration.ofDays(30);
    private static final CertificateView FIRST =
            Authority.create("first", YEAR, MADE).certificate();
    private static final CertificateView SECOND =
            Authority.create("second", YEAR, MADE).certificate();
    private static final Instant RESTED = MADE.plus(Duration.ofMinutes(5));

    private static AuthorityView authority(
            Optional<CertificateView> next, Optional<CertificateView> previous, Optional<String> rotated) {
        return new AuthorityView(FIRST, next, previous, TrustBundle.empty(), MADE, true, true, rotated);
    }

    private static final AuthorityView ALONE = authority(Optional.empty(), Optional.empty(), Optional.empty());
    private static final AuthorityView INTRODUCED =
            authority(Optional.of(SECOND), Optional.empty(), Optional.of("wish"));
    private static final AuthorityView SUCCEEDED =
            authority(Optional.empty(), Optional.of(SECOND), Optional.of("wish"));

    private static Rotation at(Instant now, AuthorityView authority) {
        return new Rotation(authority, Optional.empty(), YEAR, MONTH, now);
    }

    private static Rotation wished(String wish, AuthorityView authority) {
        return new Rotation(authority, Optional.of(wish), YEAR, MONTH, RESTED);
    }

    @Test
    void nothingTurnsWithoutAWish() {
        assertThat(at(RESTED, ALONE).turn(true, true)).isEmpty();
        assertThat(at(RESTED, ALONE).wantsLook(true)).isFalse();
    }

    @Test
    void aWishIsMetOnce() {
        assertThat(wished("now", ALONE).turn(true, false)).contains(Turn.INTRODUCE);
        assertThat(wished("now", ALONE).turn(false, true)).isEmpty();
        var met = authority(Optional.empty(), Optional.empty(), Optional.of("now"));
        assertThat(wished("now", met).turn(true, true)).isEmpty();
        assertThat(wished("again", met).turn(true, true)).contains(Turn.INTRODUCE);
    }

    @Test
    void oneWishAfterAnotherWaitsForItsTurn() {
        assertThat(wished("again", INTRODUCED).turn(true, true)).contains(Turn.SUCCEED);
        assertThat(wished("again", SUCCEEDED).turn(true, true)).contains(Turn.RETIRE);
    }

    @Test
    void anAuthorityIsFollowedByAnotherAfterTwoThirdsOfItsTime() {
        Instant due = MADE.plus(YEAR.multipliedBy(2).dividedBy(3));
        assertThat(at(due.minusMillis(1), ALONE).turn(true, true)).isEmpty();
        assertThat(at(due, ALONE).turn(true, true)).contains(Turn.INTRODUCE);
        assertThat(at(due, ALONE).turn(false, true)).isEmpty();
        assertThat(at(MADE, ALONE).nextAt()).isEqualTo(due);
    }

    @Test
    void whereAShorterLifeIsWantedByNowThatCounts() {
        var rotation = new Rotation(ALONE, Optional.empty(), MONTH, MONTH, MADE.plus(Duration.ofDays(21)));
        assertThat(rotation.turn(true, true)).contains(Turn.INTRODUCE);
    }

    @Test
    void theNextOneSignsWhenEveryMemberTrustsItAndClientsHadTheirTime() {
        assertThat(at(RESTED.minusMillis(1), INTRODUCED).turn(true, true)).isEmpty();
        assertThat(at(RESTED, INTRODUCED).turn(false, true)).isEmpty();
        assertThat(at(RESTED, INTRODUCED).turn(true, false)).contains(Turn.SUCCEED);
        assertThat(at(MADE, INTRODUCED).nextAt()).isEqualTo(RESTED);
        assertThat(at(RESTED, INTRODUCED).wantsLook(true)).isFalse();
    }

    @Test
    void thePreviousOneIsForgottenWhenNobodyShowsWhatItSigned() {
        assertThat(at(RESTED.minusMillis(1), SUCCEEDED).turn(true, true)).isEmpty();
        assertThat(at(RESTED, SUCCEEDED).turn(false, true)).isEmpty();
        assertThat(at(RESTED, SUCCEEDED).turn(true, false)).isEmpty();
        assertThat(at(RESTED, SUCCEEDED).turn(true, true)).contains(Turn.RETIRE);
    }

    @Test
    void whatMembersShowIsLookedAtOnlyWhenNothingElseIsWaitedFor() {
        assertThat(at(RESTED, SUCCEEDED).wantsLook(true)).isTrue();
        assertThat(at(RESTED, SUCCEEDED).wantsLook(false)).isFalse();
        assertThat(at(MADE, SUCCEEDED).wantsLook(true)).isFalse();
    }

    @Test
    void certificatesThatLiveForAMinuteLeaveClientsLessTime() {
        var rotation = new Rotation(INTRODUCED, Optional.empty(), YEAR, Duration.ofMinutes(1), MADE.plusSeconds(6));
        assertThat(rotation.turn(true, true)).contains(Turn.SUCCEED);
        assertThat(new Rotation(INTRODUCED, Optional.empty(), YEAR, Duration.ofMinutes(1), MADE.plusSeconds(5))
                        .turn(true, true))
                .isEmpty();
    }

    @Test
    void oneThatCanNeverSignIsReplacedBeforeItsTurn() {
        var mute = new AuthorityView(
                FIRST,
                Optional.of(SECOND),
                Optional.empty(),
                TrustBundle.empty(),
                MADE,
                true,
                false,
                Optional.of("wish"));
        assertThat(at(MADE, mute).turn(false, false)).contains(Turn.INTRODUCE);
    }

    @Test
    void onTheWayFromOneToTheNextALostKeyWaitsForNobodyToShowWhatItSigned() {
        var lost = new AuthorityView(
                FIRST,
                Optional.empty(),
                Optional.of(SECOND),
                TrustBundle.empty(),
                MADE,
                false,
                false,
                Optional.of("wish"));
        assertThat(at(MADE, lost).turn(true, false)).contains(Turn.INTRODUCE);
        assertThat(at(MADE, lost).turn(false, false)).isEmpty();
        assertThat(at(RESTED, lost).wantsLook(true)).isFalse();
    }

    @Test
    void oneThatEndedIsToldOf() {
        assertThat(at(FIRST.notAfter().minusMillis(1), ALONE).useless("c-ca")).isEmpty();
        assertThat(at(FIRST.notAfter(), ALONE).useless("c-ca").map(Problem::message))
                .hasValueSatisfying(why -> assertThat(why).contains("Secret c-ca ended on " + FIRST.notAfter()));
    }

    @Test
    void oneWhoseTimeHasNotComeIsToldOf() {
        assertThat(at(FIRST.notBefore(), ALONE).useless("c-ca")).isEmpty();
        assertThat(at(FIRST.notBefore().minusMillis(1), ALONE).useless("c-ca").map(Problem::message))
                .hasValueSatisfying(
                        why -> assertThat(why).contains("Secret c-ca is valid only from " + FIRST.notBefore()));
    }
}
