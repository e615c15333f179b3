package etcdoperator.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterDomainTest {
    @Test
    void itIsWhatTheResolverOfAPodSearches() {
        assertThat(ClusterDomain.of(List.of(
                        "nameserver 10.96.0.10",
                        "search ns.svc.k8s.example.org svc.k8s.example.org k8s.example.org",
                        "options ndots:5")))
                .isEqualTo("k8s.example.org");
    }

    @Test
    void elsewhereItIsTheUsualOne() {
        assertThat(ClusterDomain.of(List.of())).isEqualTo("cluster.local");
        assertThat(ClusterDomain.of(List.of("search example.org", "# search svc.nonsense")))
                .isEqualTo("cluster.local");
    }
}
