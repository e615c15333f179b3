package etcdoperator.domain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RestoredIdsTest {
    /** As etcdutl 3.5.35, 3.6.16 and 3.7.3 print it. */
    @Test
    void theIdsAreThoseOfEtcdutl() {
        RestoredIds ids = RestoredIds.of("http://c-0.c.ns.svc:2380", "r1");
        assertThat(ids.memberId()).hasToString("b0a960259510f31b");
        assertThat(ids.clusterId()).hasToString("54bbb82019975ea6");
    }

    @Test
    void anotherTokenOrAnotherUrlIsAnotherCluster() {
        RestoredIds ids = RestoredIds.of("http://c-0.c.ns.svc:2380", "r1");
        assertThat(RestoredIds.of("http://c-0.c.ns.svc:2380", "r2").clusterId()).isNotEqualTo(ids.clusterId());
        assertThat(RestoredIds.of("https://c-0.c.ns.svc:2380", "r1").clusterId())
                .isNotEqualTo(ids.clusterId());
    }
}
