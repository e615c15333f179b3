package etcdoperator.simulation.world;

import etcdoperator.cluster.execute.Workshop;
import etcdoperator.cluster.step.Chore;
import etcdoperator.cluster.view.Chores;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Scheme;
import etcdoperator.domain.Transport;
import etcdoperator.simulation.etcd.EtcdProcess;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Does every chore at once, and forgets with its operator what was done. */
final class FakeWorkshop implements Workshop {
    private final World world;
    private final Runnable news;
    private final Instant since;
    private final Set<Chores.RaftSnapshot> snapshots = new HashSet<>();
    private final Map<MemberId, Instant> defragmented = new HashMap<>();
    private Optional<Instant> compacted = Optional.empty();
    private Optional<Chores.Comparison> comparison = Optional.empty();
    private Optional<Chores.Sight> sight = Optional.empty();

    FakeWorkshop(World world, Runnable news) {
        this.world = world;
        this.news = news;
        this.since = world.clock().instant();
    }

    @Override
    public void begin(ClusterKey cluster, Chore chore, Map<MemberId, Contact> members) {
        world.trace().note("chore " + chore);
        Instant now = world.clock().instant();
        switch (chore) {
            case Chore.WriteSnapshots(var ids, boolean withoutV2) ->
                world.etcd().running().stream()
                        .filter(process -> ids.contains(process.data().self()))
                        .forEach(this::writeSnapshot);
            case Chore.SeeCertificates() -> sight = Optional.of(new Chores.Sight(now, issuers(members)));
            case Chore.ReadAccounts read -> {}
            case Chore.ChangeAccounts change -> {}
            case Chore.Compact() -> compacted = Optional.of(now);
            case Chore.Defragment(var id) -> defragmented.put(id, now);
            case Chore.CompareData() ->
                comparison = Optional.of(new Chores.Comparison(now, Set.copyOf(members.keySet()), Set.of()));
        }
        news.run();
    }

    private Map<PeerName, Chores.Issuers> issuers(Map<MemberId, Contact> members) {
        Map<PeerName, Chores.Issuers> issuers = new HashMap<>();
        for (Contact contact : members.values()) {
            world.nodes()
                    .at(contact.endpoint().url().getHost())
                    .filter(EtcdProcess::isRunning)
                    .ifPresent(process -> issuers.put(contact.peer(), shown(process, contact.transport())));
        }
        return issuers;
    }

    private static Chores.Issuers shown(EtcdProcess process, Transport transport) {
        return new Chores.Issuers(
                process.tls()
                        .client()
                        .filter(files -> transport.client().best() == Scheme.HTTPS)
                        .map(files -> files.issuer().get()),
                process.tls()
                        .peer()
                        .filter(files -> transport.peer().scheme() == Scheme.HTTPS)
                        .map(files -> files.issuer().get()));
    }

    private void writeSnapshot(EtcdProcess process) {
        process.data().writeSnapshot(process.minor());
        snapshots.add(new Chores.RaftSnapshot(process.data().self(), process.minor()));
    }

    @Override
    public Chores done(ClusterKey cluster) {
        return new Chores(
                since,
                Set.copyOf(snapshots),
                compacted,
                Map.copyOf(defragmented),
                comparison,
                sight,
                Optional.empty(),
                Optional.empty(),
                since);
    }

    @Override
    public void forget(ClusterKey cluster) {
        snapshots.clear();
    }
}
