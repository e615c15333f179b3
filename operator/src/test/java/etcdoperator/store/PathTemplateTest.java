package etcdoperator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathTemplateTest {
    private static final PathTemplate.Facts FACTS =
            new PathTemplate.Facts("ns", "my-cluster", Instant.parse("2026-11-15T03:00:00.5Z"), 42, "u-1", "3.6.16");

    @Test
    void blanksAreFilled() {
        assertThat(new PathTemplate("{namespace}/{cluster}/{time}.db").fill(FACTS))
                .isEqualTo("ns/my-cluster/20261115T030000Z.db");
        assertThat(new PathTemplate("x/{revision}-{uid}-{version}-{uid}.db").fill(FACTS))
                .isEqualTo("x/42-u-1-3.6.16-u-1.db");
        assertThat(new PathTemplate("always/the/same").fill(FACTS)).isEqualTo("always/the/same");
    }

    @ParameterizedTest
    @CsvSource({
        "{name}.db, known are only {namespace}",
        "{}.db, known are only",
        "{time.db, a brace",
        "time}.db, a brace",
        "/{time}, a slash",
        "{cluster}/../x, begins with a dot",
        "'', it is empty",
    })
    void nonsenseIsRefusedWithWords(String text, String words) {
        assertThatThrownBy(() -> new PathTemplate(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(words);
    }

    @Test
    void factsMayNotLeaveTheirPlace() {
        var escaping = new PathTemplate.Facts("..", "c", Instant.EPOCH, 1, "u", "3.6.16");
        assertThatThrownBy(() -> new PathTemplate("{namespace}/{cluster}/{time}.db").fill(escaping))
                .hasMessageContaining("begins with a dot");
    }
}
