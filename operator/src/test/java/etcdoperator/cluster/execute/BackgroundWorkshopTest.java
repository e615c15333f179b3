package etcdoperator.cluster.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import etcdoperator.cluster.step.Chore;
import etcdoperator.cluster.view.Chores;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Transport;
import etcdoperator.domain.Transport.Between;
import etcdoperator.domain.Transport.Client;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import etcdoperator.etcd.RaftSnapshots;
import etcdoperator.etcd.TypicalStatus;
import etcdoperator.etcd.V2Keys;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BackgroundWorkshopTest {
    private static final ClusterKey KEY = new ClusterKey("ns", "c");
    private static final MemberId MEMBER = new MemberId(0xa0);
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private final ObedientEtcd etcd = new ObedientEtcd(List.of());
    private final AtomicInteger news = new AtomicInteger();
    private final AtomicBoolean v2 = new AtomicBoolean();
    private final V2Keys v2Keys = (member, deadline) -> v2.get();
    private final BackgroundWorkshop workshop = new BackgroundWorkshop(
            etcd,
            new RaftSnapshots((metrics, deadline) -> 1),
            v2Keys,
            (member, port, deadline) -> Optional.of("shown at " + port),
            Clock.fixed(NOW, ZoneOffset.UTC),
            cluster -> news.incrementAndGet());

    @BeforeEach
    void answer() {
        etcd.says(TypicalStatus.of(new ClusterId(1), MEMBER, "3.5.35", 20480, MEMBER, false, 2, 7, List.of()));
    }

    @AfterEach
    void close() {
        workshop.close();
    }

    @Test
    void whatIsDoneIsKnownAndStartsAPass() {
        begin(new Chore.Defragment(MEMBER));
        assertThat(workshop.done(KEY).defragmented()).containsEntry(MEMBER, NOW);
        begin(new Chore.Compact());
        assertThat(workshop.done(KEY).compacted()).contains(NOW);
        begin(new Chore.WriteSnapshots(List.of(MEMBER), true));
        assertThat(workshop.done(KEY).snapshots()).hasSize(1);
        assertThat(workshop.done(KEY).defragmented()).containsKey(MEMBER);
    }

    @Test
    void whatIsShownToClientsIsKeptApartFromWhatIsShownToMembers() {
        assertThat(seenAt(Transport.PLAIN)).isEqualTo(new Chores.Issuers(Optional.empty(), Optional.empty()));
        assertThat(seenAt(new Transport(Client.PERMISSIVE, Between.PREPARED)))
                .isEqualTo(new Chores.Issuers(Optional.of("shown at 2379"), Optional.empty()));
        assertThat(seenAt(new Transport(Client.PLAIN, Between.REQUIRED)))
                .isEqualTo(new Chores.Issuers(Optional.empty(), Optional.of("shown at 2380")));
    }

    private Chores.Issuers seenAt(Transport transport) {
        begin(new Chore.SeeCertificates(), contacts(transport));
        Chores.Sight sight = workshop.done(KEY).sight().orElseThrow();
        return Objects.requireNonNull(sight.issuers().get(PeerName.parse("c-0")));
    }

    @Test
    void keysOfEtcd2StandInTheWay() {
        v2.set(true);
        begin(new Chore.WriteSnapshots(List.of(MEMBER), true));
        assertThat(workshop.done(KEY).snapshots()).isEmpty();
        assertThat(workshop.done(KEY).trouble())
                .hasValueSatisfying(why -> assertThat(why).contains("/v2/keys"));
    }

    @Test
    void aFailureIsToldAndNotTriedAgainAtOnce() {
        etcd.fails("defragment", new EtcdException(Kind.NO_ANSWER, "defragment: no answer in time"));
        begin(new Chore.Defragment(MEMBER));
        assertThat(workshop.done(KEY).trouble()).contains("defragment: no answer in time");
        workshop.begin(KEY, new Chore.Defragment(MEMBER), contacts());
        assertThat(workshop.done(KEY).defragmented()).isEmpty();
    }

    @Test
    void aClusterThatIsGoneLeavesNothing() {
        begin(new Chore.Compact());
        workshop.forget(KEY);
        assertThat(workshop.done(KEY).compacted()).isEmpty();
    }

    private void begin(Chore chore) {
        begin(chore, contacts());
    }

    private void begin(Chore chore, Map<MemberId, Workshop.Contact> contacts) {
        int before = news.get();
        await().until(() -> {
            boolean ended = news.get() > before;
            if (!ended) {
                // Again: whoever told of the last chore's end may still be busy with telling.
                workshop.begin(KEY, chore, contacts);
            }
            return ended;
        });
    }

    private static Map<MemberId, Workshop.Contact> contacts() {
        return contacts(Transport.PLAIN);
    }

    private static Map<MemberId, Workshop.Contact> contacts(Transport transport) {
        return Map.of(MEMBER, new Workshop.Contact(PeerName.parse("c-0"), Endpoint.plain("10.0.0.1", 2379), transport));
    }
}
