package etcdoperator.tls;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.tls.SecretKeys.Found;
import etcdoperator.tls.SecretKeys.Missing;
import etcdoperator.tls.SecretKeys.Side;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SecretKeysTest {
    @ParameterizedTest
    @EnumSource(Side.class)
    void theWayOfKubernetesServesEverySide(Side side) {
        assertThat(SecretKeys.of(Set.of("tls.crt", "tls.key", "ca.crt", "tls-combined.pem"), side))
                .isEqualTo(new Found("tls.crt", "tls.key", "ca.crt"));
    }

    @ParameterizedTest
    @CsvSource({
        "SERVER, server.crt, server.key, server-ca.crt",
        "PEER, peer.crt, peer.key, peer-ca.crt",
        "CLIENT, etcd-client.crt, etcd-client.key, etcd-client-ca.crt"
    })
    void theWayOfCoreOsNamesTheSide(Side side, String certificate, String key, String trust) {
        assertThat(SecretKeys.of(Set.of(certificate, key, trust), side)).isEqualTo(new Found(certificate, key, trust));
        assertThat(SecretKeys.of(Set.of(certificate, key, trust, "tls.crt", "tls.key"), side))
                .as("the whole set wins")
                .isEqualTo(new Found(certificate, key, trust));
    }

    @Test
    void whatIsMissingIsOfTheWayThatIsCloser() {
        assertThat(SecretKeys.of(Set.of("tls.crt", "tls.key"), Side.PEER)).isEqualTo(new Missing(List.of("ca.crt")));
        assertThat(SecretKeys.of(Set.of("peer.crt", "peer.key"), Side.PEER))
                .isEqualTo(new Missing(List.of("peer-ca.crt")));
        assertThat(SecretKeys.of(Set.of("server.crt", "server.key", "server-ca.crt"), Side.PEER))
                .isEqualTo(new Missing(List.of("tls.crt", "tls.key", "ca.crt")));
        assertThat(SecretKeys.of(Set.of(), Side.CLIENT))
                .isEqualTo(new Missing(List.of("tls.crt", "tls.key", "ca.crt")));
    }
}
