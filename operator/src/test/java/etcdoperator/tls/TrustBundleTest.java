package etcdoperator.tls;

import static etcdoperator.tls.Leaves.NOW;
import static etcdoperator.tls.Leaves.YEAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TrustBundleTest {
    private final Authority older = Authority.create("older", Duration.ofDays(10), NOW);
    private final Authority newer = Authority.create("newer", YEAR, NOW.plusSeconds(100));
    private final String olderPem = older.pem().certificates();
    private final String newerPem = newer.pem().certificates();

    @Test
    void onlyTheSetMatters() {
        TrustBundle one = TrustBundle.of(olderPem + newerPem);
        TrustBundle other = TrustBundle.of(
                "a note\n" + newerPem.replace("\n", "\r\n  ") + "\n\n" + olderPem + newerPem + "\n# the end");
        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
        assertThat(one.hash()).isEqualTo(other.hash()).matches("[0-9a-f]{12}");
        assertThat(one.text()).isEqualTo(other.text());
        assertThat(TrustBundle.of(one.text())).isEqualTo(one);
        assertThat(one.hash()).isNotEqualTo(TrustBundle.of(olderPem).hash());
    }

    @Test
    void theNewestIsWrittenFirst() {
        assertThat(TrustBundle.of(olderPem + newerPem).text()).isEqualTo(newerPem + olderPem);
        assertThat(TrustBundle.of(olderPem + newerPem).certificates())
                .extracting(CertificateView::commonName)
                .containsExactly("newer", "older");
    }

    @Test
    void bundlesGrow() {
        TrustBundle both = TrustBundle.of(olderPem).plus(TrustBundle.of(newerPem));
        assertThat(both.contains(older.certificate().fingerprint())).isTrue();
        assertThat(both.contains(newer.certificate().fingerprint())).isTrue();
        assertThat(TrustBundle.of(olderPem).contains(newer.certificate().fingerprint()))
                .isFalse();
        assertThat(both.plus(both)).isEqualTo(both);
        assertThat(TrustBundle.empty().plus(both)).isEqualTo(both);
    }

    @Test
    void aLeafIsTrustedByThoseWhoTrustItsAuthority() {
        String leaf = older.issue(Leaves.member(), NOW).certificates();
        assertThat(TrustBundle.of(olderPem + newerPem).issued(Pem.certificates(leaf), NOW))
                .isTrue();
        assertThat(TrustBundle.of(newerPem).issued(Pem.certificates(leaf), NOW)).isFalse();
        assertThat(TrustBundle.empty().issued(Pem.certificates(leaf), NOW)).isFalse();
        assertThat(TrustBundle.of(leaf).issued(Pem.certificates(leaf), NOW))
                .as("trusted itself")
                .isTrue();
    }

    @Test
    void timeEndsTrust() {
        String leaf = older.issue(Leaves.member(), NOW).certificates();
        TrustBundle trust = TrustBundle.of(olderPem);
        assertThat(trust.issued(Pem.certificates(leaf), NOW.plus(Duration.ofDays(10))))
                .isTrue();
        assertThat(trust.issued(
                        Pem.certificates(leaf), NOW.plus(Duration.ofDays(10)).plusSeconds(1)))
                .isFalse();
        assertThat(trust.issued(Pem.certificates(leaf), NOW.minusSeconds(3601))).isFalse();
    }

    @Test
    void anAuthorityOfTheSameNameIsAnotherOne() {
        String leaf =
                Authority.create("older", YEAR, NOW).issue(Leaves.member(), NOW).certificates();
        assertThat(TrustBundle.of(olderPem).issued(Pem.certificates(leaf), NOW)).isFalse();
    }

    @Test
    void whatIsNoBundleIsToldSo() {
        assertThatThrownBy(() -> TrustBundle.of("")).hasMessage("it is empty");
        assertThatThrownBy(() -> TrustBundle.of(older.pem().key()))
                .hasMessage("it holds a private key and no certificate");
        assertThatThrownBy(() -> TrustBundle.of(olderPem + older.pem().key()))
                .hasMessage("it holds something else beside certificates");
    }
}
