package etcdoperator.domain;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.domain.AuthorityPolicy.Sharing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuthorityPolicyTest {
    @ParameterizedTest
    @CsvSource({
        "etcd.example.com, etcd.example.com, true",
        "etcd.example.com, a.etcd.example.com, false",
        "*.example.com, etcd.example.com, true",
        "*.example.com, a.etcd.example.com, true",
        "*.example.com, *.etcd.example.com, true",
        "*.example.com, example.com, false",
        "*.example.com, etcdexample.com, false",
        "*.example.com, evil-example.com, false",
        "192.0.2.7, 192.0.2.7, true",
        "192.0.2.7, 192.0.2.8, false",
        "*, anything, true"
    })
    void namesAreComparedAsAWhole(String allowed, String name, boolean fits) {
        assertThat(AuthorityPolicy.parse(Sharing.REFUSED, "other, " + allowed).allows(name))
                .isEqualTo(fits);
    }

    @Test
    void nothingIsAllowedThatIsNotSaid() {
        assertThat(AuthorityPolicy.parse(Sharing.REFUSED, "")).isEqualTo(AuthorityPolicy.USUAL);
        assertThat(AuthorityPolicy.USUAL.allows("")).isFalse();
        assertThat(AuthorityPolicy.USUAL.allowsSharing()).isFalse();
    }
}
