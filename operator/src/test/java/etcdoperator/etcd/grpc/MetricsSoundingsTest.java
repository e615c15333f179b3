package etcdoperator.etcd.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.domain.MemberId;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.MetricsReading;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MetricsSoundingsTest {
    private static final String PAGE = """
            # HELP etcd_network_active_peers The current number of active peer connections.
            # TYPE etcd_network_active_peers gauge
            etcd_network_active_peers{Local="8e9e05c52164694d",Remote="91bc3c398fb3c146"} 1
            etcd_network_active_peers{Local="8e9e05c52164694d",Remote="fd422379fda50e48"} 0
            etcd_network_peer_sent_bytes_total{To="91bc3c398fb3c146"} 1.0
            etcd_debugging_mvcc_current_revision 1.234e+06
            etcd_server_id{server_id="8e9e05c52164694d"} 1
            etcd_server_is_leader 1
            etcd_server_proposals_committed_total 5.54e+04
            """;

    @Test
    void aPageSaysAllThatIsNeeded() throws EtcdException {
        assertThat(MetricsSoundings.read(MetricsPage.of(PAGE)))
                .isEqualTo(new MetricsReading(
                        Optional.of(MemberId.parse("8e9e05c52164694d")),
                        1_234_000,
                        55_400,
                        true,
                        Map.of(MemberId.parse("91bc3c398fb3c146"), true, MemberId.parse("fd422379fda50e48"), false)));
    }

    @Test
    void aMemberThatHasJustStartedSaysLess() throws EtcdException {
        assertThat(MetricsSoundings.read(MetricsPage.of("etcd_debugging_mvcc_current_revision 1")))
                .isEqualTo(new MetricsReading(Optional.empty(), 1, 0, false, Map.of()));
    }

    @Test
    void whatIsNotEtcdSaysNothing() {
        assertThatThrownBy(() -> MetricsSoundings.read(MetricsPage.of("go_goroutines 9")))
                .isInstanceOf(EtcdException.class);
    }
}
