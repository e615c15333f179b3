package etcdoperator.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeSpanTest {
    @ParameterizedTest
    @CsvSource({
        "90s, PT1M30S",
        "5m, PT5M",
        "1h30m, PT1H30M",
        "1h2m3s, PT1H2M3S",
        "2m2m, PT4M",
        "0s, PT0S",
        "300ms, PT0.3S",
        "1m1s1ms, PT1M1.001S"
    })
    void itsPartsAreAddedUp(String text, Duration span) {
        assertThat(TimeSpan.parse(text)).isEqualTo(span);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "m", "5 m", "-5m", "1.5h", "5d", "300us", "1000000s"})
    void anythingElseIsRefusedInWords(String text) {
        assertThatThrownBy(() -> TimeSpan.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("such as 90s or 1h30m");
    }
}
