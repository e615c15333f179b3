package etcdoperator.domain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PeerNameTest {
    @Test
    void aClaimIsForTheSlotItIsNamedAfter() {
        assertThat(PeerName.ofClaim("c", "c-1")).contains(new PeerName("c", 1));
        assertThat(PeerName.ofClaim("c", "c-1-bb607c58")).contains(new PeerName("c", 1));
        assertThat(PeerName.ofClaim("c", "c-1-12345678")).contains(new PeerName("c", 1));
        assertThat(PeerName.ofClaim("c-1", "c-1-12345678")).contains(new PeerName("c-1", 12345678));
        assertThat(PeerName.ofClaim("c", "d-1")).isEmpty();
        assertThat(PeerName.ofClaim("c", "stranger")).isEmpty();
    }
}
