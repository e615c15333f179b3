package etcdoperator.contract.etcd;

import static etcdoperator.contract.etcd.EtcdStage.NAMES;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.PeerName;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.MetricsReading;
import etcdoperator.etcd.RaftSnapshots;
import etcdoperator.etcd.RaftSnapshots.Limits;
import etcdoperator.etcd.RaftSnapshots.Result;
import etcdoperator.etcd.grpc.HttpMemberMetrics;
import etcdoperator.simulation.etcd.StartFlags;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Real processes on the loopback, of each line that is tested, behind proxies that can fail a request late. */
@ParameterizedClass
@ValueSource(strings = {"3.4.23", "3.5.35", "3.6.16", "3.7.3"})
class RealEtcdFaultsIT extends EtcdFaultsContract {
    /** Above this gap between what is committed and what is applied, etcd proposes nothing of its own. */
    private static final int GAP = 5000;

    /** So many entries a leader keeps for those who lag, where that cannot be set. */
    private static final int KEPT = 5000;

    @Parameter
    String version;

    private ProcessStage processes;

    @Override
    EtcdStage open() {
        processes = new ProcessStage(EtcdBinary.of(version));
        processes.behindProxies();
        return processes;
    }

    @Override
    void joinersAreSentSnapshots() {
        processes.snapshotEvery(1000);
        if (EtcdVersion.parse(version).minor() >= 6) {
            processes.also("--snapshot-catchup-entries=500");
        }
    }

    /** A log that begins behind the first entries is one that a joiner cannot be given whole. */
    @Override
    void outgrowTheLog() {
        var members = NAMES.stream()
                .map(name ->
                        new RaftSnapshots.Member(new PeerName(name, 0), stage.client(name), processes.metricsUri(name)))
                .toList();
        Result first =
                new RaftSnapshots(new HttpMemberMetrics()).bringAbout(members, new Limits(Duration.ofMinutes(1), KEPT));
        assertThat(first).isInstanceOf(Result.Done.class);
        try {
            for (int i = 0; i < GAP + KEPT + 2000; i++) {
                stage.client(NAMES.getFirst()).commitNothing(Duration.ofSeconds(10));
            }
        } catch (EtcdException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    boolean refusesItsPublication() {
        return EtcdVersion.parse(version).minor() >= 6;
    }

    /** What it says at first gets nowhere; etcd waits six seconds before it says it again. */
    @Override
    void startUnheard(StartFlags flags) {
        NAMES.forEach(name -> processes.proxyOf(name).failRequests());
        processes.proxyOf(flags.name()).cutStreams();
        stage.start(flags);
        stage.aWhile();
        processes.proxyOf(flags.name()).letStreamsPass();
        NAMES.forEach(name -> processes.proxyOf(name).letRequestsPass());
    }

    @Override
    Optional<MetricsReading> metrics(String name) {
        return processes.metricsOf(name);
    }

    @Override
    void failLate(String leader, String voter) {
        PeerProxy toLeader = processes.proxyOf(leader);
        PeerProxy toVoter = processes.proxyOf(voter);
        toVoter.holdRequests();
        toLeader.cutStreams();
        stage.eventually("the leader makes a request instead", () -> toVoter.held() > 0);
        toLeader.letStreamsPass();
        // Each of the two other members has two.
        stage.eventually("streams are there again", () -> toLeader.streams() >= 2 * (NAMES.size() - 1));
        toVoter.failRequests();
    }

    @Override
    String lastWords(String name) {
        return processes.lastWords(name);
    }
}
