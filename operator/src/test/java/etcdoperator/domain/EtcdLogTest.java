package etcdoperator.domain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EtcdLogTest {
    @Test
    void theLineThatSaysWhyIsFoundAmongOthers() {
        assertThat(EtcdLog.lastWords("""
                {"level":"info","msg":"starting"}
                {"level":"panic","ts":"2026-01-01T12:00:00Z","msg":"tocommit(9) is out of range"}
                {"level":"info","msg":"closed"}
                """)).isEqualTo(": tocommit(9) is out of range");
    }

    @Test
    void messageAndErrorMakeOneSentence() {
        assertThat(EtcdLog.lastWords("{\"level\":\"fatal\",\"msg\":\"discovery failed\",\"error\":\"say \\\"no\\\"\"}"))
                .startsWith(": discovery failed: say ");
    }

    /** Old lines write text, with a time that would make each crash look like another. */
    @Test
    void linesWithoutJsonLoseTheirTime() {
        assertThat(EtcdLog.lastWords("2026-01-01 12:00:00.123456 C | etcdmain: member has been removed"))
                .isEqualTo(": C | etcdmain: member has been removed");
    }

    @Test
    void withoutAFatalLineTheLastOneCounts() {
        assertThat(EtcdLog.lastWords("one\ntwo\n")).isEqualTo(": two");
    }

    @Test
    void silenceAddsNothing() {
        assertThat(EtcdLog.lastWords(null)).isEmpty();
        assertThat(EtcdLog.lastWords(" \n")).isEmpty();
    }
}
