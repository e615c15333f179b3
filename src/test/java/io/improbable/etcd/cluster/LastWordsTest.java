package io.improbable.etcd.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LastWordsTest {
    @Test
    void theLineThatSaysWhyIsFoundAmongOthers() {
        assertThat(LastWords.of("""
                {"level":"info","msg":"starting"}
                {"level":"panic","ts":"2026-01-01T12:00:00Z","msg":"tocommit(9) is out of range"}
                {"level":"info","msg":"closed"}
                """)).isEqualTo(": tocommit(9) is out of range");
    }

    @Test
    void messageAndErrorMakeOneSentence() {
        assertThat(LastWords.of("{\"level\":\"fatal\",\"msg\":\"discovery failed\",\"error\":\"say \\\"no\\\"\"}"))
                .startsWith(": discovery failed: say ");
    }

    /** Old lines write text, with a time that would make each crash look like another. */
    @Test
    void linesWithoutJsonLoseTheirTime() {
        assertThat(LastWords.of("2026-01-01 12:00:00.123456 C | etcdmain: member has been removed"))
                .isEqualTo(": C | etcdmain: member has been removed");
    }

    @Test
    void withoutAFatalLineTheLastOneCounts() {
        assertThat(LastWords.of("one\ntwo\n")).isEqualTo(": two");
    }

    @Test
    void silenceAddsNothing() {
        assertThat(LastWords.of(null)).isEmpty();
        assertThat(LastWords.of(" \n")).isEmpty();
    }
}
