package etcdoperator.cluster.execute;

import etcdoperator.cluster.step.Chore;
import etcdoperator.cluster.view.Chores;
import etcdoperator.cluster.view.Chores.Issuers;
import etcdoperator.cluster.view.Chores.RaftSnapshot;
import etcdoperator.cluster.view.Chores.Sight;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Scheme;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import etcdoperator.etcd.RaftSnapshots;
import etcdoperator.etcd.ShownCertificates;
import etcdoperator.etcd.V2Keys;
import etcdoperator.manifest.Addresses;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Does each cluster's chores on a virtual thread, one after another. */
public final class BackgroundWorkshop implements Workshop, AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration BEFORE_NEXT_TRY = Duration.ofSeconds(5);

    /** Ten times the number of entries after which etcd writes a snapshot by itself. */
    private static final RaftSnapshots.Limits LIMITS = new RaftSnapshots.Limits(Duration.ofMinutes(10), 1_000_000);

    private final EtcdClient.Factory clients;
    private final AccountKeeper accounts;
    private final RaftSnapshots snapshots;
    private final V2Keys v2;
    private final ShownCertificates shown;
    private final Clock clock;
    private final Consumer<ClusterKey> news;
    private final Map<ClusterKey, Place> places = new ConcurrentHashMap<>();

    public BackgroundWorkshop(
            EtcdClient.Factory clients,
            RaftSnapshots snapshots,
            V2Keys v2,
            ShownCertificates shown,
            Clock clock,
            Consumer<ClusterKey> news) {
        this.clients = clients;
        this.accounts = new AccountKeeper(clients);
        this.snapshots = snapshots;
        this.v2 = v2;
        this.shown = shown;
        this.clock = clock;
        this.news = news;
    }

    @Override
    public void begin(ClusterKey cluster, Chore chore, Map<MemberId, Contact> members) {
        place(cluster).begin(chore, members);
    }

    @Override
    public Chores done(ClusterKey cluster) {
        return place(cluster).chores;
    }

    @Override
    public void forget(ClusterKey cluster) {
        Optional.ofNullable(places.remove(cluster)).ifPresent(Place::leave);
    }

    @Override
    public void close() {
        places.keySet().forEach(this::forget);
    }

    private Place place(ClusterKey cluster) {
        return places.computeIfAbsent(cluster, Place::new);
    }

    /** Where the chores of one cluster are done. */
    private final class Place {
        private final ClusterKey cluster;
        private volatile Chores chores = Chores.none(clock.instant());
        private @Nullable Thread thread;
        private Instant notBefore = Instant.MIN;

        Place(ClusterKey cluster) {
            this.cluster = cluster;
        }

        synchronized void begin(Chore chore, Map<MemberId, Contact> members) {
            boolean busy = thread != null && thread.isAlive();
            if (!busy && !clock.instant().isBefore(notBefore)) {
                thread = Thread.ofVirtual().name("chore of " + cluster).start(() -> run(chore, members));
            }
        }

        synchronized void leave() {
            if (thread != null) {
                thread.interrupt();
            }
        }

        private void run(Chore chore, Map<MemberId, Contact> members) {
            try {
                chores = outcome(chore, members);
            } catch (EtcdException e) {
                if (e.kind() == Kind.NO_ACCESS) {
                    // Somebody may have changed users or roles by hand.
                    chores = chores.withAccounts(Optional.empty());
                }
                rest(e.why());
            } catch (RuntimeException e) {
                rest(e.toString());
            } finally {
                news.accept(cluster);
            }
        }

        private synchronized void rest(String why) {
            Instant now = clock.instant();
            chores = chores.withTrouble(why, now);
            notBefore = now.plus(BEFORE_NEXT_TRY);
        }

        private Chores outcome(Chore chore, Map<MemberId, Contact> members) throws EtcdException {
            Map<MemberId, EtcdClient> open = new HashMap<>();
            members.forEach((id, contact) -> open.put(id, clients.connect(contact.endpoint())));
            try {
                return switch (chore) {
                    case Chore.WriteSnapshots(var ids, boolean withoutV2) -> {
                        if (withoutV2) {
                            refuseV2(members);
                        }
                        yield chores.withSnapshots(write(ids, members, open));
                    }
                    case Chore.Compact() -> compact(open);
                    case Chore.Defragment(var id) -> {
                        find(open, id).defragment(LONG);
                        yield chores.withDefragmentation(id, clock.instant());
                    }
                    case Chore.CompareData() ->
                        chores.withComparison(new DataComparison(open).compare(clock.instant()));
                    case Chore.ReadAccounts(String wanted, var passwords) ->
                        chores.withAccounts(Optional.of(new Chores.AccountsSeen(
                                clock.instant(), wanted, accounts.read(anyone(members), passwords))));
                    case Chore.ChangeAccounts(var orders) -> {
                        // Read again after this, also if it was cut short.
                        chores = chores.withAccounts(Optional.empty());
                        accounts.carryOut(anyone(members), orders);
                        yield chores;
                    }
                    case Chore.SeeCertificates() -> chores.withSight(new Sight(clock.instant(), issuers(members)));
                };
            } finally {
                open.values().forEach(EtcdClient::close);
            }
        }

        private Chores compact(Map<MemberId, EtcdClient> open) throws EtcdException {
            EtcdClient any = open.values().stream().findFirst().orElseThrow(() -> nobody("any member"));
            any.compact(any.status(DEADLINE).revision(), LONG);
            return chores.withCompaction(clock.instant());
        }
    }

    private Set<RaftSnapshot> write(List<MemberId> ids, Map<MemberId, Contact> members, Map<MemberId, EtcdClient> open)
            throws EtcdException {
        Set<RaftSnapshot> written = new HashSet<>();
        List<RaftSnapshots.Member> asked = new ArrayList<>();
        for (MemberId id : ids) {
            EtcdClient client = find(open, id);
            Contact contact = Objects.requireNonNull(members.get(id));
            var version = EtcdVersion.parse(client.status(DEADLINE).version());
            written.add(new RaftSnapshot(id, version.minor()));
            asked.add(new RaftSnapshots.Member(contact.peer(), client, metrics(contact)));
        }
        return switch (snapshots.bringAbout(asked, LIMITS)) {
            case RaftSnapshots.Result.Done done -> written;
            case RaftSnapshots.Result.NotYet notYet ->
                throw new EtcdException(Kind.NOT_YET, "no raft snapshot was written yet: " + notYet.why());
            case RaftSnapshots.Result.Failed failed -> throw new EtcdException(Kind.NO_ANSWER, failed.why());
        };
    }

    private Map<PeerName, Issuers> issuers(Map<MemberId, Contact> members) throws EtcdException {
        Map<PeerName, Issuers> issuers = new HashMap<>();
        for (Contact contact : members.values()) {
            boolean clients = contact.transport().client().best() == Scheme.HTTPS;
            boolean between = contact.transport().peer().scheme() == Scheme.HTTPS;
            issuers.put(
                    contact.peer(),
                    new Issuers(
                            clients ? issuerAt(contact, Addresses.CLIENT_PORT) : Optional.empty(),
                            between ? issuerAt(contact, Addresses.PEER_PORT) : Optional.empty()));
        }
        return issuers;
    }

    private Optional<String> issuerAt(Contact contact, int port) throws EtcdException {
        return shown.issuerAt(contact.endpoint(), port, DEADLINE);
    }

    private void refuseV2(Map<MemberId, Contact> members) throws EtcdException {
        for (Contact contact : members.values()) {
            if (v2.existAt(contact.endpoint(), DEADLINE)) {
                throw new EtcdException(
                        Kind.REFUSED,
                        "there are keys in the way of etcd 2 (/v2/keys), with which no etcd from 3.6 on starts: delete them");
            }
        }
    }

    private static Endpoint anyone(Map<MemberId, Contact> members) throws EtcdException {
        return members.values().stream().findFirst().map(Contact::endpoint).orElseThrow(() -> nobody("any member"));
    }

    private static URI metrics(Contact contact) {
        return URI.create("http://" + contact.endpoint().url().getHost() + ":" + Addresses.METRICS_PORT);
    }

    private static EtcdClient find(Map<MemberId, EtcdClient> open, MemberId id) throws EtcdException {
        EtcdClient client = open.get(id);
        if (client == null) {
            throw nobody(id.toString());
        }
        return client;
    }

    private static EtcdException nobody(String who) {
        return new EtcdException(Kind.NO_ANSWER, who + " cannot be asked now");
    }
}
