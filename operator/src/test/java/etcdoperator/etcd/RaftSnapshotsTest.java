package etcdoperator.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.etcd.EtcdException.Kind;
import etcdoperator.etcd.RaftSnapshots.Limits;
import etcdoperator.etcd.RaftSnapshots.Member;
import etcdoperator.etcd.RaftSnapshots.Result;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RaftSnapshotsTest {
    private static final Limits LIMITS = new Limits(Duration.ofSeconds(30), Long.MAX_VALUE);
    private static final EtcdException SILENCE = new EtcdException(Kind.NO_ANSWER, "metrics: no connection");

    private final ScriptedEtcd etcd = new ScriptedEtcd();
    /** After how many entries each member writes a snapshot. */
    private final Map<URI, Integer> snapshotCounts = new ConcurrentHashMap<>();

    private final RaftSnapshots snapshots = new RaftSnapshots(this::count);
    private final List<Member> members =
            Stream.of("c-0", "c-1", "c-2").map(this::member).toList();

    RaftSnapshotsTest() {
        leads("c-1");
    }

    @Test
    void entriesGoThroughTheLeaderUntilEverybodyHasASnapshot() {
        snapshotCounts.put(uri("c-2"), 1000);
        Result result = snapshots.bringAbout(members, LIMITS);
        assertThat(result)
                .isInstanceOfSatisfying(
                        Result.Done.class,
                        done -> assertThat(done.effort().entries()).isGreaterThanOrEqualTo(1000));
        assertThat(scripted("c-0").entries).hasValue(0);
        assertThat(scripted("c-2").entries).hasValue(0);
    }

    @Test
    void whereEverybodyHasOneNothingIsWritten() {
        members.forEach(member -> snapshotCounts.put(member.metrics(), 0));
        assertThat(snapshots.bringAbout(members, LIMITS)).isInstanceOf(Result.Done.class);
        assertThat(scripted("c-1").entries).hasValue(0);
    }

    @Test
    void withoutALeaderAnyVoterWillDo() {
        leads("nobody");
        scripted("c-0").isSilent();
        assertThat(snapshots.bringAbout(members, LIMITS)).isInstanceOf(Result.Done.class);
        assertThat(scripted("c-1").entries).hasPositiveValue();
    }

    @Test
    void theLimitOfEntriesHoldsAndTheMissingAreNamed() {
        snapshotCounts.put(uri("c-2"), Integer.MAX_VALUE);
        Result result = snapshots.bringAbout(members, new Limits(Duration.ofSeconds(30), 500));
        assertThat(result).isInstanceOfSatisfying(Result.NotYet.class, notYet -> {
            assertThat(notYet.missing()).containsExactly(PeerName.parse("c-2"));
            assertThat(notYet.why()).startsWith("not after 500 entries in ");
        });
        assertThat(scripted("c-1").entries).hasValue(500);
    }

    @Test
    void theLimitOfTimeHolds() {
        snapshotCounts.put(uri("c-2"), Integer.MAX_VALUE);
        Result result = snapshots.bringAbout(members, new Limits(Duration.ofMillis(300), 1_000_000_000));
        assertThat(result).isInstanceOf(Result.NotYet.class);
        assertThat(result.effort().took()).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void aRefusalEndsItAtOnce() {
        scripted("c-1").commitsNoMore(new EtcdException(Kind.REFUSED, "commit: corrupt cluster"));
        assertThat(snapshots.bringAbout(members, LIMITS))
                .isInstanceOfSatisfying(
                        Result.Failed.class, failed -> assertThat(failed.why()).isEqualTo("commit: corrupt cluster"));
    }

    @Test
    void whoDoesNotTellItsCountEndsItSoon() {
        snapshotCounts.put(uri("c-2"), -1);
        assertThat(snapshots.bringAbout(members, LIMITS))
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> assertThat(failed.why()).isEqualTo("c-2 metrics: no connection"));
    }

    @Test
    void aClusterThatSaysNothingCannotBeHelped() {
        members.forEach(member -> scripted(member.name().toString()).isSilent());
        assertThat(snapshots.bringAbout(members, LIMITS)).isInstanceOf(Result.Failed.class);
    }

    @Test
    void anInterruptEndsItAtOnceAndIsNotSwallowed() throws InterruptedException {
        snapshotCounts.put(uri("c-2"), Integer.MAX_VALUE);
        var result = new AtomicReference<Result>();
        var interrupted = new AtomicReference<Boolean>();
        Thread thread = Thread.ofVirtual().start(() -> {
            result.set(snapshots.bringAbout(members, LIMITS));
            interrupted.set(Thread.currentThread().isInterrupted());
        });
        thread.join(Duration.ofMillis(300));
        thread.interrupt();
        assertThat(thread.join(Duration.ofSeconds(5))).isTrue();
        assertThat(result.get())
                .isInstanceOfSatisfying(
                        Result.NotYet.class, notYet -> assertThat(notYet.why()).isEqualTo("interrupted"));
        assertThat(interrupted.get()).isTrue();
        await().untilAsserted(() -> {
            int entries = scripted("c-1").entries.get();
            await().pollDelay(Duration.ofMillis(100)).until(() -> true);
            assertThat(scripted("c-1").entries).hasValue(entries);
        });
    }

    private long count(URI uri, Duration deadline) throws EtcdException {
        int snapshotCount = snapshotCounts.getOrDefault(uri, 100);
        if (snapshotCount < 0) {
            throw SILENCE;
        }
        int entries = members.stream()
                .mapToInt(member -> scripted(member.name().toString()).entries.get())
                .sum();
        return entries >= snapshotCount ? 1 : 0;
    }

    private void leads(String leader) {
        members.forEach(member -> {
            boolean self = member.name().toString().equals(leader);
            var status = ScriptedEtcd.status(1000, 0, 1);
            MemberId id = status.memberId();
            scripted(member.name().toString()).says(TypicalStatus.withLeader(status, self ? id : new MemberId(0xff)));
        });
    }

    private Member member(String name) {
        return new Member(PeerName.parse(name), etcd.connect(endpoint(name)), uri(name));
    }

    private ScriptedEtcd.Member scripted(String name) {
        return etcd.at(endpoint(name));
    }

    private static Endpoint endpoint(String name) {
        return Endpoint.plain(name, 2379);
    }

    private static URI uri(String name) {
        return Endpoint.plain(name, 2381).url();
    }
}
