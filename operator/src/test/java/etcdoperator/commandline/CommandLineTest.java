package etcdoperator.commandline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CommandLineTest {
    private static final int CALLED = 7;

    private final Listener role = new Listener();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private static final class Listener implements Role {
        @Flag(name = "--words", required = true, description = "To hear.")
        private List<String> words = new ArrayList<>();

        @Flag(name = "--words-to-come", variable = "WORDS_TO_COME")
        private int wordsToCome = 1;

        @Flag(name = "--tone")
        private Tone tone = Tone.LOW;

        private enum Tone {
            LOW
        }

        private @Nullable String refused;

        @Override
        public String purpose() {
            return "Listens.";
        }

        @Override
        public int refuse(String why) {
            refused = why;
            return Role.super.refuse(why);
        }

        @Override
        public Integer call() {
            return CALLED;
        }
    }

    private int run(Map<String, String> environment, String... flags) throws Exception {
        return new CommandLine(
                        "listener", List.of(flags), environment, new PrintStream(printed, true, StandardCharsets.UTF_8))
                .run(role);
    }

    @Test
    void flagsAreGivenWithOrWithoutAnEqualsSign() throws Exception {
        assertThat(run(Map.of(), "--words=a=b,c", "--words-to-come", "2")).isEqualTo(CALLED);
        assertThat(role.words).containsExactly("a=b", "c");
        assertThat(role.wordsToCome).isEqualTo(2);
    }

    @Test
    void whatLooksLikeAFileStaysWhatItIs() throws Exception {
        assertThat(run(Map.of(), "--words", "@etc/passwd")).isEqualTo(CALLED);
        assertThat(role.words).containsExactly("@etc/passwd");
    }

    @Test
    void theEnvironmentIsAskedWhereNoFlagIsGiven() throws Exception {
        run(Map.of("WORDS_TO_COME", "3"), "--words=a");
        assertThat(role.wordsToCome).isEqualTo(3);
        run(Map.of("WORDS_TO_COME", "3"), "--words=a", "--words-to-come=4");
        assertThat(role.wordsToCome).isEqualTo(4);
    }

    @Test
    void whatIsEmptyInTheEnvironmentIsNotSet() throws Exception {
        assertThat(run(Map.of("WORDS_TO_COME", ""), "--words=a")).isEqualTo(CALLED);
        assertThat(role.wordsToCome).isEqualTo(1);
    }

    @Test
    void nonsenseIsRefusedWithoutACall() throws Exception {
        refused("there is no flag --wrods", "--wrods=a");
        refused("there is no flag a", "a");
        refused("--words is given twice", "--words=a", "--words=b");
        refused("--words-to-come cannot be 'many'", "--words=a", "--words-to-come=many");
        refused("--words-to-come has no value", "--words=a", "--words-to-come");
        refused("--tone cannot be 'high': it is one of [LOW]", "--words=a", "--tone=high");
    }

    @Test
    void whatHasADefaultCanBeRequiredAllTheSame() throws Exception {
        refused("--words is not given");
    }

    private void refused(String why, String... flags) throws Exception {
        assertThat(run(Map.of(), flags)).isEqualTo(CommandLine.WRONG);
        assertThat(role.refused).isEqualTo(why);
    }

    @Test
    void helpNeedsNothingElse() throws Exception {
        assertThat(run(Map.of(), "--help")).isZero();
        assertThat(role.refused).isNull();
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("Usage: listener", "Listens.", "--words=", "To hear. Required.")
                .doesNotContain("--words-to-come");
    }
}
