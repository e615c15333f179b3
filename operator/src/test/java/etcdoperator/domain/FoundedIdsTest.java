package etcdoperator.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FoundedIdsTest {
    private static final List<String> URLS =
            List.of("http://127.0.0.1:23903", "http://127.0.0.1:23901", "http://127.0.0.1:23902");

    /** As etcd 3.4.23 and 3.7.3 log them when they found a cluster of these. */
    @Test
    void theIdsAreThoseOfEtcd() {
        assertThat(FoundedIds.member("http://127.0.0.1:23902", "u1")).hasToString("8826120a3d01c800");
        assertThat(FoundedIds.cluster(URLS, "u1")).hasToString("483e502863fc21a3");
    }

    @Test
    void anotherTokenIsAnotherCluster() {
        assertThat(FoundedIds.cluster(URLS, "u2")).isNotEqualTo(FoundedIds.cluster(URLS, "u1"));
        assertThat(FoundedIds.member(URLS.getFirst(), "u2")).isNotEqualTo(FoundedIds.member(URLS.getFirst(), "u1"));
    }

    @Test
    void anIdentityIsWrittenAndReadAsBothIds() {
        var identity = new MemberIdentity(new ClusterId(0xc1), new MemberId(0xa0));
        assertThat(identity).hasToString("c1/a0");
        assertThat(MemberIdentity.tryParse("c1/a0")).contains(identity);
        assertThat(MemberIdentity.tryParse("c1")).isEmpty();
        assertThat(MemberIdentity.tryParse("c1/nobody")).isEmpty();
    }
}
