package etcdoperator.calendar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Window SATURDAY_NIGHT =
            new Window(Schedule.parse("0 22 * * SAT", BERLIN), Duration.ofHours(6));

    @ParameterizedTest
    @CsvSource({
        "2026-01-03T20:59:59Z, false",
        "2026-01-03T21:00:00Z, true",
        "2026-01-04T02:59:59Z, true",
        "2026-01-04T03:00:00Z, false",
        // The clocks go forward in the night of 28 March: six hours are six hours.
        "2026-03-28T21:00:00Z, true",
        "2026-03-29T02:59:59Z, true",
        "2026-03-29T03:00:00Z, false",
        "2026-10-24T20:00:00Z, true",
        "2026-10-25T01:59:59Z, true",
        "2026-10-25T02:00:00Z, false"
    })
    void itIsOpenFromItsHourOnForAsLongAsItStays(Instant time, boolean open) {
        assertThat(SATURDAY_NIGHT.isOpenAt(time)).isEqualTo(open);
    }

    @Test
    void itTellsWhenItOpensNextEvenWhileItIsOpen() {
        assertThat(SATURDAY_NIGHT.opensNext(Instant.parse("2026-01-03T20:00:00Z")))
                .isEqualTo(Instant.parse("2026-01-03T21:00:00Z"));
        assertThat(SATURDAY_NIGHT.opensNext(Instant.parse("2026-01-03T21:00:00Z")))
                .isEqualTo(Instant.parse("2026-01-10T21:00:00Z"));
    }

    @Test
    void openingsThatOverlapNeverClose() {
        var window = new Window(Schedule.parse("0 */2 * * *", BERLIN), Duration.ofHours(4));
        Instant start = Instant.parse("2026-03-28T00:00:00Z");
        for (int minute = 0; minute < 3 * 24 * 60; minute++) {
            assertThat(window.isOpenAt(start.plusSeconds(60L * minute))).isTrue();
        }
    }

    @Test
    void aWindowOfNoTimeIsAMistake() {
        assertThatThrownBy(() -> new Window(Schedule.parse("@daily", BERLIN), Duration.ZERO))
                .hasMessage("a window that stays open for PT0S never opens");
    }
}
