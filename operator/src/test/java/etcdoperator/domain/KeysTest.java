package etcdoperator.domain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeysTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/app/", "a", "\u00ff", "/caf\u00e9", "/\u00bf", "/\ud83d\ude00"})
    void aPrefixIsReadAsItWasWritten(String prefix) {
        var keys = new Keys.Under(prefix);
        assertThat(Keys.of(keys.first(), keys.end())).isEqualTo(keys);
    }

    @Test
    void aPrefixEndsBeforeTheNext() {
        assertThat(new Keys.Under("/app/").end()).asString().isEqualTo("/app0");
        assertThat(new Keys.Under("").first()).containsExactly(0);
        assertThat(new Keys.Under("").end()).containsExactly(0);
    }

    @Test
    void oneKeyHasNoEnd() {
        assertThat(new Keys.One("leader").end()).isEmpty();
        assertThat(Keys.of(new Keys.One("leader").first(), new byte[0])).isEqualTo(new Keys.One("leader"));
    }

    @Test
    void whatSomebodyGrantedByHandIsKeptAsItIs() {
        Keys keys = Keys.of(new byte[] {'a'}, new byte[] {'c'});
        assertThat(keys).isEqualTo(new Keys.Between("61", "63"));
        assertThat(keys.first()).containsExactly('a');
        assertThat(keys.end()).containsExactly('c');
        assertThat(Keys.of(new byte[] {(byte) 0xff}, new byte[0])).isEqualTo(new Keys.Between("ff", ""));
        assertThat(Keys.of(new byte[0], new byte[] {0})).isEqualTo(new Keys.Between("", "00"));
    }
}
