package etcdoperator.simulation.kube;

import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.PeerName;
import etcdoperator.etcd.Answer;
import etcdoperator.etcd.Answer.Silent;
import etcdoperator.etcd.Answer.Spoke;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.Pace;
import etcdoperator.etcd.Probes;
import etcdoperator.simulation.etcd.EtcdProcess;
import etcdoperator.simulation.etcd.FakeEtcd;
import etcdoperator.simulation.etcd.FakeEtcdClient;
import etcdoperator.simulation.etcd.FakeNetwork;
import etcdoperator.simulation.replay.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The prober without its threads: a member is asked when the history says so. */
public final class FakeProbes implements Probes, EtcdClient.Factory {
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    private final FakeEtcd etcd;
    private final FakeNodes nodes;
    private final ManualClock clock;
    private final Runnable news;
    private final Map<PeerName, Endpoint> targets = new TreeMap<>();
    private final Map<PeerName, Answer> answers = new TreeMap<>();
    private final Map<String, EtcdProcess> met = new HashMap<>();
    private Given given = new Given(Instant.EPOCH, Map.of());

    /** The answers that a pass was given, and when. */
    public record Given(Instant at, Map<PeerName, Answer> answers) {}

    public FakeProbes(FakeEtcd etcd, FakeNodes nodes, ManualClock clock, Runnable news) {
        this.etcd = etcd;
        this.nodes = nodes;
        this.clock = clock;
        this.news = news;
    }

    @Override
    public void watch(ClusterKey cluster, Map<PeerName, Endpoint> members, Pace pace) {
        answers.keySet()
                .removeIf(
                        peer -> !Optional.ofNullable(members.get(peer)).equals(Optional.ofNullable(targets.get(peer))));
        targets.clear();
        targets.putAll(members);
    }

    @Override
    public Map<PeerName, Answer> answers(ClusterKey cluster, Map<PeerName, Endpoint> members) {
        Map<PeerName, Answer> there = new HashMap<>(answers);
        there.keySet()
                .removeIf(
                        peer -> !Optional.ofNullable(targets.get(peer)).equals(Optional.ofNullable(members.get(peer))));
        given = new Given(clock.instant(), Map.copyOf(there));
        return there;
    }

    @Override
    public void askAgain(ClusterKey cluster) {}

    @Override
    public EtcdClient connect(Endpoint endpoint) {
        return new FakeEtcdClient(
                etcd,
                () -> nodes.at(endpoint.url().getHost()).filter(process -> FakeNetwork.serves(process, endpoint)));
    }

    public Given lastGiven() {
        return given;
    }

    public List<PeerName> targets() {
        return List.copyOf(targets.keySet());
    }

    public void ask(PeerName peer) {
        Answer now = ask(targets.get(peer));
        Answer before = answers.put(peer, now);
        if (before == null || !now.saysTheSameAs(before)) {
            news.run();
        }
    }

    /** One that has its data, and waits for a quorum, tells by its metrics alone how far that goes. */
    private Answer ask(Endpoint endpoint) {
        EtcdClient client = connect(endpoint);
        try {
            var status = client.status(DEADLINE);
            return status.learner()
                    ? new Spoke(clock.instant(), status, List.of(), Optional.empty())
                    : new Spoke(clock.instant(), status, client.members(DEADLINE), readFailure(client));
        } catch (EtcdException e) {
            return new Silent(clock.instant(), e.why(), false, revision(endpoint));
        }
    }

    /** Who runs for a moment, again and again, is met anew each time, and is no news. */
    private Optional<Long> revision(Endpoint endpoint) {
        String host = endpoint.url().getHost();
        Optional<EtcdProcess> running = nodes.at(host).filter(EtcdProcess::isRunning);
        Optional<EtcdProcess> before = Optional.ofNullable(met.get(host));
        running.ifPresentOrElse(process -> met.put(host, process), () -> met.remove(host));
        return running.filter(process -> before.equals(running))
                .map(process -> process.data().revision());
    }

    private static Optional<String> readFailure(EtcdClient client) {
        try {
            client.linearizableRead(DEADLINE);
            return Optional.empty();
        } catch (EtcdException e) {
            return Optional.of(e.why());
        }
    }
}
