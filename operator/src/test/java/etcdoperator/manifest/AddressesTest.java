package etcdoperator.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.domain.ClusterKey;
import org.junit.jupiter.api.Test;

class AddressesTest {
    private static final ClusterKey CLUSTER = new ClusterKey("ns", "c");

    @Test
    void aMemberIsCalledByItsClaim() {
        assertThat(Addresses.memberHost(CLUSTER, "c-1-bb607c58")).isEqualTo("c-1-bb607c58.c.ns.svc");
        assertThat(Addresses.claimAt(CLUSTER, "http://c-1-bb607c58.c.ns.svc:2380"))
                .contains("c-1-bb607c58");
    }

    @Test
    void whatLeadsElsewhereIsCalledByNoClaimOfOurs() {
        assertThat(Addresses.claimAt(CLUSTER, "http://c-1.c.other.svc:2380")).isEmpty();
        assertThat(Addresses.claimAt(CLUSTER, "http://10.0.0.1:2380")).isEmpty();
        assertThat(Addresses.claimAt(CLUSTER, "http://stranger:2380")).isEmpty();
    }
}
