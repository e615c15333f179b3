package etcdoperator.tls;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/** Certificates as the tests ask for them. */
final class Leaves {
    static final Instant NOW = Instant.parse("2026-11-15T10:00:00Z");
    static final Duration YEAR = Duration.ofDays(365);
    static final Duration MONTH = Duration.ofDays(30);

    private Leaves() {}

    static Authority authority() {
        return Authority.create("c of default", YEAR, NOW);
    }

    static LeafRequest member() {
        return new LeafRequest(
                "c-0",
                Set.of("c-0.c.default.svc", "*.c.default.svc", "localhost"),
                Set.of("127.0.0.1", "::1"),
                Set.of(Usage.SERVER, Usage.CLIENT),
                MONTH);
    }

    static LeafRequest client(String name) {
        return new LeafRequest(name, Set.of(), Set.of(), Set.of(Usage.CLIENT), MONTH);
    }
}
