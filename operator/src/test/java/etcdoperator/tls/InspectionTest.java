package etcdoperator.tls;

import static etcdoperator.tls.Leaves.MONTH;
import static etcdoperator.tls.Leaves.NOW;
import static etcdoperator.tls.Leaves.YEAR;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.tls.SecretKeys.Found;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InspectionTest {
    private static final Authority AUTHORITY = Leaves.authority();
    private static final String TRUST = AUTHORITY.pem().certificates();
    private static final PemPair MEMBER = AUTHORITY.issue(Leaves.member(), NOW);
    private static final Set<Usage> BOTH = Set.of(Usage.SERVER, Usage.CLIENT);

    private static List<String> complaints(PemPair pair, String trust, Instant at) {
        return complaints(pair, trust, at, Set.of("c-0.c.default.svc"), BOTH);
    }

    private static List<String> complaints(
            PemPair pair, String trust, Instant at, Set<String> names, Set<Usage> usages) {
        return new Inspection(Found.KUBERNETES, pair, trust, names, usages, at)
                .flaws().stream().map(Flaw::words).toList();
    }

    @Test
    void whatIsGoodIsNotComplainedOf() {
        var inspection = new Inspection(Found.KUBERNETES, MEMBER, TRUST, Set.of("127.0.0.1"), BOTH, NOW);
        assertThat(inspection.flaws()).isEmpty();
        assertThat(inspection.complaint()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "c-0.c.default.svc, true",
        "C-0.C.default.SVC., true",
        "c-7.c.default.svc, true",
        "*.c.default.svc, true",
        "a.c-7.c.default.svc, false",
        "c.default.svc, false",
        ".c.default.svc, false",
        "c-0, false",
        "127.0.0.1, true",
        "127.0.0.2, false",
        "::1, true",
        "0:0::1, true",
        "::2, false",
        "::ffff:127.0.0.1, true"
    })
    void namesAreComparedAsEtcdDoes(String name, boolean covered) {
        assertThat(complaints(MEMBER, TRUST, NOW, Set.of(name), BOTH))
                .isEqualTo(covered ? List.of() : List.of("it is not valid for " + name));
    }

    @Test
    void timesAreTold() {
        assertThat(complaints(MEMBER, TRUST, NOW.plus(MONTH).plusSeconds(1)))
                .containsExactly("the certificate ended on 2026-12-15T10:00:00Z");
        assertThat(complaints(MEMBER, TRUST, NOW.minusSeconds(3601)))
                .containsExactly("the certificate is not valid before 2026-11-15T09:00:00Z");
    }

    @Test
    void strangersAreTold() {
        PemPair stranger = Leaves.authority().issue(Leaves.member(), NOW);
        assertThat(complaints(stranger, TRUST, NOW)).containsExactly("it is not signed by any certificate in ca.crt");
        assertThat(complaints(new PemPair(MEMBER.certificates(), stranger.key()), TRUST, NOW))
                .containsExactly("the key does not belong to the certificate");
    }

    @Test
    void namesAndUsagesAreTold() {
        PemPair client = AUTHORITY.issue(Leaves.client("root"), NOW);
        assertThat(complaints(client, TRUST, NOW, Set.of("b", "a"), BOTH))
                .containsExactly("it is not valid for a, b", "it may not be used by a server");
        assertThat(complaints(client, TRUST, NOW, Set.of(), Set.of(Usage.CLIENT)))
                .isEmpty();
    }

    @Test
    void allThatIsWrongIsSaidAtOnce() {
        PemPair pair = new PemPair(MEMBER.certificates(), "");
        var parts = new Found("peer.crt", "peer.key", "peer-ca.crt");
        var inspection = new Inspection(parts, pair, "?", Set.of("x"), BOTH, NOW.plus(YEAR));
        assertThat(inspection.complaint())
                .contains("peer.key cannot be read: it is empty;"
                        + " peer-ca.crt cannot be read: it holds no certificate in PEM form;"
                        + " the certificate ended on 2026-12-15T10:00:00Z; it is not valid for x");
    }

    @Test
    void swappedPartsAreToldWithoutShowingTheKey() {
        PemPair swapped = new PemPair(MEMBER.key(), MEMBER.certificates());
        assertThat(complaints(swapped, MEMBER.key(), NOW))
                .containsExactly(
                        "tls.crt cannot be read: it holds a private key and no certificate",
                        "tls.key cannot be read: it holds no private key in PEM form",
                        "ca.crt cannot be read: it holds a private key and no certificate");
    }

    @Test
    void garbageIsToldAndNeverThrown() {
        var random = new Random(4711);
        for (int i = 0; i < 1000; i++) {
            PemPair pair = new PemPair(spoiled(MEMBER.certificates(), random), spoiled(MEMBER.key(), random));
            List<String> complaints = complaints(pair, spoiled(TRUST, random), NOW);
            assertThat(complaints).allSatisfy(words -> assertThat(words).hasSizeLessThan(120));
        }
        for (String text : List.of(
                "",
                " ",
                "\0",
                "-----BEGIN ",
                "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----",
                "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----",
                "-----BEGIN -----\n-----END -----")) {
            assertThat(complaints(new PemPair(text, text), text, NOW)).hasSize(3);
        }
    }

    /** Some signs replaced, doubled or left out, or the end cut off. */
    private static String spoiled(String text, Random random) {
        StringBuilder spoiled = new StringBuilder(text);
        for (int i = random.nextInt(4); i > 0; i--) {
            int at = random.nextInt(spoiled.length());
            switch (random.nextInt(4)) {
                case 0 -> spoiled.setCharAt(at, (char) random.nextInt(32, 127));
                case 1 -> spoiled.deleteCharAt(at);
                case 2 -> spoiled.insert(at, (char) random.nextInt(32, 127));
                default -> spoiled.setLength(random.nextInt(8) == 0 ? at + 1 : spoiled.length());
            }
        }
        return spoiled.toString();
    }

    @Test
    void manyUnfinishedBlocksTakeNoTime() {
        String text = "-----BEGIN CERTIFICATE-----\n".repeat(30_000);
        assertThat(complaints(new PemPair(text, text), text, NOW)).hasSize(3);
    }
}
