package etcdoperator.etcd;

import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Members that answer as a test tells them, each with a count of how often it was asked. */
public final class ScriptedEtcd implements EtcdClient.Factory {
    private final Map<Endpoint, Member> members = new ConcurrentHashMap<>();

    @Override
    public EtcdClient connect(Endpoint endpoint) {
        Member member = at(endpoint);
        member.connected.incrementAndGet();
        return member;
    }

    public Member at(Endpoint endpoint) {
        return members.computeIfAbsent(endpoint, key -> new Member());
    }

    public static EtcdClient.MemberStatus status(long dbSize, long leader, long raftIndex) {
        return TypicalStatus.of(
                new ClusterId(0xc1),
                new MemberId(0xa0),
                "3.6.16",
                dbSize,
                new MemberId(leader),
                false,
                2,
                raftIndex,
                List.of());
    }

    /** One member; what it was told to say once comes before what it always says. */
    public static final class Member implements EtcdClient {
        public final AtomicInteger connected = new AtomicInteger();
        public final AtomicInteger asked = new AtomicInteger();
        public final AtomicInteger closed = new AtomicInteger();
        private final Queue<Optional<MemberStatus>> once = new ArrayDeque<>();
        private volatile Optional<MemberStatus> always = Optional.of(ScriptedEtcd.status(1000, 0xa0, 1));
        final AtomicInteger entries = new AtomicInteger();
        private volatile Optional<EtcdException> commitFailure = Optional.empty();
        public final List<String> calls = new CopyOnWriteArrayList<>();
        private volatile boolean bug;
        private volatile boolean quorum = true;
        private volatile boolean denies;
        private volatile boolean hangs;
        private final CountDownLatch hungUp = new CountDownLatch(1);
        private volatile List<ListedMember> list = List.of();

        public synchronized void saysOnce(MemberStatus status) {
            once.add(Optional.of(status));
        }

        public synchronized void isSilentOnce() {
            once.add(Optional.empty());
        }

        public void says(MemberStatus status) {
            always = Optional.of(status);
        }

        public void isSilent() {
            always = Optional.empty();
        }

        public void lists(List<ListedMember> members) {
            list = members;
        }

        public void hasNoQuorum() {
            quorum = false;
        }

        /** As 3.4 does, which tells its status to anybody. */
        public void asksForAPassword() {
            denies = true;
        }

        /** As one that has lost its quorum does: until whoever reads gives up. */
        public void readsForEver() {
            hangs = true;
        }

        void commitsNoMore(EtcdException why) {
            commitFailure = Optional.of(why);
        }

        public void hasABug() {
            bug = true;
        }

        @Override
        public synchronized MemberStatus status(Duration deadline) throws EtcdException {
            if (bug) {
                bug = false;
                throw new IllegalStateException("a bug in the client");
            }
            Optional<MemberStatus> answer = Optional.ofNullable(once.poll()).orElse(always);
            asked.incrementAndGet();
            return answer.orElseThrow(() -> new EtcdException(EtcdException.Kind.NO_ANSWER, "status: no connection"));
        }

        @Override
        public List<ListedMember> members(Duration deadline) {
            calls.add("list");
            return list;
        }

        @Override
        public List<ListedMember> agreedMembers(Duration deadline) throws EtcdException {
            calls.add("agreed list");
            if (!quorum) {
                throw new EtcdException(EtcdException.Kind.NO_ANSWER, "linearizable read: no answer in time");
            }
            return list;
        }

        @Override
        public MemberId add(String peerUrl, boolean learner, Duration deadline) {
            calls.add("add " + peerUrl + (learner ? " learner" : ""));
            return new MemberId(0xadd);
        }

        @Override
        public void remove(MemberId member, Duration deadline) {
            calls.add("remove " + member);
        }

        @Override
        public void promote(MemberId learner, Duration deadline) {
            calls.add("promote " + learner);
        }

        @Override
        public void relist(MemberId member, String peerUrl, Duration deadline) {
            calls.add("relist " + member + " at " + peerUrl);
        }

        @Override
        public void moveLeader(MemberId to, Duration deadline) {
            calls.add("move leader to " + to);
        }

        @Override
        public void linearizableRead(Duration deadline) throws EtcdException {
            if (denies) {
                throw new EtcdException(EtcdException.Kind.NO_ACCESS, "linearizable read: who asks?");
            }
            calls.add("read");
            if (hangs) {
                awaitHangingUp();
            }
        }

        private void awaitHangingUp() throws EtcdException {
            try {
                hungUp.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new EtcdException(EtcdException.Kind.NO_ANSWER, "linearizable read: no connection");
        }

        @Override
        public void defragment(Duration deadline) {
            calls.add("defragment");
        }

        @Override
        public Hash hashKv(long revision, Duration deadline) {
            calls.add("hash at " + revision);
            return new Hash(0, revision, 0);
        }

        @Override
        public void compact(long revision, Duration deadline) {
            calls.add("compact " + revision);
        }

        @Override
        public void disarm(MemberId member, Alarm.Kind alarm, Duration deadline) {
            calls.add("disarm " + alarm + " of " + member);
        }

        @Override
        public void enableDowngrade(String minor, Duration deadline) {
            calls.add("downgrade to " + minor);
        }

        @Override
        public void cancelDowngrade(Duration deadline) {
            calls.add("cancel downgrade");
        }

        @Override
        public void commitNothing(Duration deadline) throws EtcdException {
            if (commitFailure.isPresent()) {
                throw commitFailure.get();
            }
            // A call takes its time; one that never waited would keep its processor from all others.
            LockSupport.parkNanos(20_000);
            entries.incrementAndGet();
        }

        @Override
        public Accounts accounts() {
            throw new AssertionError("nobody has asked for accounts");
        }

        @Override
        public void whenDisconnected(Runnable told) {}

        @Override
        public void close() {
            closed.incrementAndGet();
            hungUp.countDown();
        }
    }
}
