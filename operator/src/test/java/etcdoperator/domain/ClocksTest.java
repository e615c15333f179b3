package etcdoperator.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClocksTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    @ParameterizedTest
    @CsvSource({"0,true", "300,true", "-300,true", "301,false", "-301,false", "31536000,false"})
    void clocksMayDifferByALittle(long seconds, boolean agree) {
        var clocks = new Clocks(NOW, Optional.of(NOW.plusSeconds(seconds)));
        assertThat(clocks.doubt().isEmpty()).isEqualTo(agree);
        assertThat(clocks.difference().isEmpty()).isEqualTo(agree);
    }

    /** Conditions say these words, and are written whenever they change. */
    @ParameterizedTest
    @CsvSource({"400,behind", "-400,ahead of"})
    void theSameWordsAreSaidAsTimePasses(long seconds, String word) {
        var clocks = new Clocks(NOW, Optional.of(NOW.plusSeconds(seconds)));
        var later = new Clocks(NOW.plusSeconds(60), Optional.of(NOW.plusSeconds(seconds + 61)));
        assertThat(clocks.doubt()).isEqualTo(later.doubt());
        assertThat(clocks.doubt().orElseThrow()).contains(word);
    }
}
