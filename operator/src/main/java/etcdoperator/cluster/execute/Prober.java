package etcdoperator.cluster.execute;

import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.PeerName;
import etcdoperator.etcd.Answer;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.Pace;
import etcdoperator.etcd.Probes;
import etcdoperator.etcd.Soundings;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Asks every member of every cluster, off the loop, and wakes a pass only when an answer says something new. */
public final class Prober implements Probes, AutoCloseable {
    private final EtcdClient.Factory clients;
    private final Soundings soundings;
    private final Clock clock;
    private final Consumer<ClusterKey> news;
    private final Map<ClusterKey, Map<PeerName, MemberProbe>> probes = new ConcurrentHashMap<>();

    public Prober(EtcdClient.Factory clients, Soundings soundings, Clock clock, Consumer<ClusterKey> news) {
        this.clients = clients;
        this.soundings = soundings;
        this.clock = clock;
        this.news = news;
    }

    /** Probes of unchanged endpoints go on undisturbed. */
    @Override
    public void watch(ClusterKey cluster, Map<PeerName, Endpoint> targets, Pace pace) {
        probes.compute(cluster, (key, present) -> {
            Map<PeerName, MemberProbe> before = present == null ? Map.of() : present;
            Map<PeerName, MemberProbe> after = new HashMap<>();
            targets.forEach((peer, endpoint) -> {
                MemberProbe running = before.get(peer);
                MemberProbe probe = running != null && running.endpoint().equals(endpoint)
                        ? running
                        : new MemberProbe(
                                endpoint, clients.connect(endpoint), soundings, clock, () -> news.accept(key));
                probe.setPace(pace);
                after.put(peer, probe);
            });
            before.values().stream()
                    .filter(probe -> !after.containsValue(probe))
                    .forEach(MemberProbe::close);
            return after.isEmpty() ? null : Map.copyOf(after);
        });
    }

    public void forget(ClusterKey cluster) {
        watch(cluster, Map.of(), Pace.CALM);
    }

    @Override
    public void askAgain(ClusterKey cluster) {
        probes.getOrDefault(cluster, Map.of()).values().forEach(MemberProbe::askAgain);
    }

    @Override
    public Map<PeerName, Answer> answers(ClusterKey cluster, Map<PeerName, Endpoint> members) {
        Map<PeerName, Answer> answers = new HashMap<>();
        probes.getOrDefault(cluster, Map.of())
                .forEach((peer, probe) -> probe.answer()
                        .filter(answer -> probe.endpoint().equals(members.get(peer)))
                        .ifPresent(answer -> answers.put(peer, answer)));
        return answers;
    }

    @Override
    public void close() {
        probes.keySet().forEach(this::forget);
    }
}
