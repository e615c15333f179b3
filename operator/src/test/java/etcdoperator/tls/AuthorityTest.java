package etcdoperator.tls;

import static etcdoperator.tls.Leaves.MONTH;
import static etcdoperator.tls.Leaves.NOW;
import static etcdoperator.tls.Leaves.YEAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AuthorityTest {
    private final Authority authority = Leaves.authority();

    @Test
    void itSaysWhatItIs() {
        assertThat(authority.certificate())
                .returns("c of default", CertificateView::commonName)
                .returns(true, CertificateView::isCa)
                .returns(NOW.minusSeconds(3600), CertificateView::notBefore)
                .returns(NOW.plus(YEAR), CertificateView::notAfter);
    }

    @Test
    void aLeafIsWhatWasAskedFor() {
        CertificateView leaf =
                CertificateView.of(authority.issue(Leaves.member(), NOW).certificates());
        assertThat(leaf)
                .returns("c-0", CertificateView::commonName)
                .returns(Set.of("c-0.c.default.svc", "*.c.default.svc", "localhost"), CertificateView::dnsNames)
                .returns(Set.of("127.0.0.1", "0:0:0:0:0:0:0:1"), CertificateView::addresses)
                .returns(NOW.minusSeconds(3600), CertificateView::notBefore)
                .returns(NOW.plus(MONTH), CertificateView::notAfter)
                .returns(false, CertificateView::isCa)
                .returns(Set.of(Usage.SERVER, Usage.CLIENT), CertificateView::usages);
        assertThat(leaf.namesAsIssuer(authority.certificate())).isTrue();
        assertThat(leaf.namesAsIssuer(leaf)).isFalse();
    }

    @Test
    void aLeafStaysWithinTheTimeOfItsAuthority() {
        Authority brief = Authority.create("brief", Duration.ofHours(1), NOW);
        CertificateView leaf = CertificateView.of(
                brief.issue(Leaves.member(), NOW.minusSeconds(30)).certificates());
        assertThat(leaf.notAfter()).isEqualTo(brief.certificate().notAfter());
        assertThatThrownBy(() -> brief.issue(Leaves.member(), NOW.plus(Duration.ofHours(1))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the authority brief ended on 2026-11-15T11:00:00Z");
    }

    @Test
    void timesThatDoNotFitIntoTwoDigitsOfAYearAreKept() {
        Authority old = Authority.create("old", Duration.ofDays(365 * 50), NOW);
        assertThat(old.certificate().notAfter()).isEqualTo(NOW.plus(Duration.ofDays(365 * 50)));
    }

    @Test
    void whatWasKeptSignsOn() {
        PemPair kept = authority.pem();
        Authority again = Authority.of(new PemPair("# a note\n" + kept.certificates(), kept.key()));
        assertThat(again.pem()).isEqualTo(kept);
        PemPair leaf = again.issue(Leaves.client("root"), NOW);
        assertThat(TrustBundle.of(kept.certificates()).issued(Pem.certificates(leaf.certificates()), NOW))
                .isTrue();
        assertThat(leaf.key()).startsWith("-----BEGIN PRIVATE KEY-----\n");
    }

    @Test
    void anAuthorityNeedsItsOwnKeyAndTheRightToSign() {
        PemPair leaf = authority.issue(Leaves.member(), NOW);
        String otherKey = Leaves.authority().pem().key();
        assertThatThrownBy(() -> Authority.of(leaf)).hasMessage("its certificate is not an authority's");
        assertThatThrownBy(() -> Authority.of(new PemPair(authority.pem().certificates(), otherKey)))
                .hasMessage("its key does not belong to its certificate");
    }

    @Test
    void noSerialComesTwice() {
        Set<String> serials = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            String serial = CertificateView.of(
                            authority.issue(Leaves.client("root"), NOW).certificates())
                    .serial();
            assertThat(serial).hasSizeLessThanOrEqualTo(32).doesNotStartWith("-");
            assertThat(serials.add(serial)).isTrue();
        }
    }

    @Test
    void namesWithSignsInThemComeBack() {
        String name = "a,b+c=\"d\\ é";
        PemPair leaf = authority.issue(Leaves.client(name), NOW);
        assertThat(CertificateView.of(leaf.certificates()).commonName()).isEqualTo(name);
    }

    @Test
    void requestsThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> Leaves.client("x".repeat(65))).hasMessageStartingWith("a common name has 1 to 64");
        assertThatThrownBy(() -> new LeafRequest("c", Set.of(), Set.of("1.2.3"), Set.of(Usage.CLIENT), MONTH))
                .hasMessage("not an address: 1.2.3");
        assertThatThrownBy(() -> new LeafRequest("c", Set.of(), Set.of(), Set.of(), MONTH))
                .hasMessage("a certificate for no use");
        assertThatThrownBy(() -> new LeafRequest("c", Set.of(), Set.of(), Set.of(Usage.CLIENT), Duration.ZERO))
                .hasMessage("a certificate that lasts for PT0S is never valid");
    }

    @Test
    void keysAreNotPrinted() {
        assertThat(authority.pem()).hasToString("PemPair[…]");
        assertThat(authority).hasToString("Authority[c of default]");
    }
}
