package etcdoperator.simulation;

import etcdoperator.domain.MemberId;
import etcdoperator.etcd.Accounts;
import etcdoperator.etcd.Alarm;
import etcdoperator.etcd.Credentials;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A connection to whatever process is behind an address at the moment of a call. */
public final class FakeEtcdClient implements EtcdClient {
    static final String VERSION = "3.6.16";

    private final FakeEtcd etcd;
    private final Supplier<Optional<EtcdProcess>> address;
    private final Optional<Credentials> credentials;

    public FakeEtcdClient(FakeEtcd etcd, Supplier<Optional<EtcdProcess>> address) {
        this(etcd, address, Optional.empty());
    }

    public FakeEtcdClient(FakeEtcd etcd, Supplier<Optional<EtcdProcess>> address, Optional<Credentials> credentials) {
        this.etcd = etcd;
        this.address = address;
        this.credentials = credentials;
    }

    @Override
    public MemberStatus status(Duration deadline) throws EtcdException {
        EtcdProcess process = admitted(ready(), false);
        MemberData data = process.data();
        long size = 20_480L + 100L * data.lastIndex();
        return new MemberStatus(
                data.clusterId(),
                data.self(),
                process.flags().version().toString(),
                process.minor() < 6 ? Optional.empty() : Optional.of("3." + data.storage() + ".0"),
                process.minor() < 6
                        ? Optional.empty()
                        : etcd.versions().downgradeOf(data.clusterId()).map(minor -> "3." + minor + ".0"),
                size,
                size,
                2L << 30,
                leader(process).map(leader -> leader.data().self()).orElse(new MemberId(0)),
                !data.isVoter(data.self()),
                data.term(),
                data.lastIndex(),
                data.revision(),
                List.of(),
                List.of());
    }

    @Override
    public List<ListedMember> members(Duration deadline) throws EtcdException {
        return voter().data().members();
    }

    @Override
    public void linearizableRead(Duration deadline) throws EtcdException {
        leaderOf("linearizable read", voter());
    }

    /** Whoever is asked waits until he knows what the leader knows. */
    @Override
    public List<ListedMember> agreedMembers(Duration deadline) throws EtcdException {
        return leaderOf("linearizable read", voter()).data().members();
    }

    @Override
    public MemberId add(String peerUrl, boolean learner, Duration deadline) throws EtcdException {
        return change("member add").add(peerUrl, learner);
    }

    @Override
    public void remove(MemberId member, Duration deadline) throws EtcdException {
        change("member remove").remove(member);
    }

    @Override
    public void promote(MemberId learner, Duration deadline) throws EtcdException {
        change("member promote").promote(learner);
    }

    @Override
    public void relist(MemberId member, String peerUrl, Duration deadline) throws EtcdException {
        change("member update").relist(member, peerUrl);
    }

    @Override
    public void moveLeader(MemberId to, Duration deadline) throws EtcdException {
        EtcdProcess asked = voter();
        if (leaderOf("move leader", asked) != asked) {
            throw new EtcdException(Kind.NOT_YET, "move leader: FAILED_PRECONDITION etcdserver: not leader");
        }
        new Reconfiguration(etcd, asked).moveLeader(to);
    }

    @Override
    public void defragment(Duration deadline) throws EtcdException {
        voter();
    }

    @Override
    public Hash hashKv(long revision, Duration deadline) throws EtcdException {
        MemberData data = voter().data();
        if (revision > data.revision()) {
            throw inTheFuture("hash");
        }
        long upTo = revision == 0 ? data.revision() : revision;
        return new Hash(data.hash(upTo), upTo, -1);
    }

    @Override
    public void compact(long revision, Duration deadline) throws EtcdException {
        EtcdProcess leader = leaderOf("compact", voter());
        if (revision > leader.data().revision()) {
            throw inTheFuture("compact");
        }
        agreeOnNothing("compact", leader);
    }

    private static EtcdException inTheFuture(String what) {
        return new EtcdException(
                Kind.NOT_YET, what + ": OUT_OF_RANGE etcdserver: mvcc: required revision is a future revision");
    }

    @Override
    public void disarm(MemberId member, Alarm.Kind alarm, Duration deadline) throws EtcdException {
        agreeOnNothing("disarm", leaderOf("disarm", voter()));
    }

    @Override
    public void enableDowngrade(String minor, Duration deadline) throws EtcdException {
        EtcdProcess leader = leaderOf("downgrade", voter());
        etcd.versions()
                .enableDowngrade(leader.data().clusterId(), Integer.parseInt(minor.substring(minor.indexOf('.') + 1)));
    }

    @Override
    public void cancelDowngrade(Duration deadline) throws EtcdException {
        etcd.versions().cancelDowngrade(leaderOf("downgrade", voter()).data().clusterId());
    }

    @Override
    public void commitNothing(Duration deadline) throws EtcdException {
        agreeOnNothing("commit", leaderOf("commit", voter()));
    }

    private void agreeOnNothing(String what, EtcdProcess leader) throws EtcdException {
        if (!etcd.change(leader, new Entry.Nothing(leader.data().term()))) {
            throw new EtcdException(Kind.NO_ANSWER, what + ": no answer in time");
        }
    }

    @Override
    public Accounts accounts() {
        return new FakeAccounts((what, rootOnly) -> {
            EtcdProcess leader = leaderOf(what, rootOnly ? voter() : anybodysVoter());
            agreeOnNothing(what, leader);
            return etcd.auth(leader.data().clusterId());
        });
    }

    @Override
    public void whenDisconnected(Runnable told) {}

    @Override
    public void close() {}

    private Reconfiguration change(String what) throws EtcdException {
        return new Reconfiguration(etcd, leaderOf(what, voter()));
    }

    private Optional<EtcdProcess> leader(EtcdProcess process) {
        return etcd.leader(process.data().clusterId())
                .filter(leader -> etcd.group(process).contains(leader));
    }

    private EtcdProcess leaderOf(String what, EtcdProcess process) throws EtcdException {
        return leader(process).orElseThrow(() -> new EtcdException(Kind.NO_ANSWER, what + ": no answer in time"));
    }

    private EtcdProcess ready() throws EtcdException {
        EtcdProcess process = address.get()
                .filter(EtcdProcess::isRunning)
                .orElseThrow(() -> new EtcdException(Kind.NO_ANSWER, "status: no connection"));
        if (!process.isReady()) {
            throw new EtcdException(Kind.NO_ANSWER, "status: no answer in time");
        }
        return process;
    }

    /** A learner tells its status and refuses all else. */
    private EtcdProcess anybodysVoter() throws EtcdException {
        EtcdProcess process = ready();
        if (!process.data().isVoter(process.data().self())) {
            throw new EtcdException(Kind.NO_ANSWER, "UNAVAILABLE etcdserver: rpc not supported for learner");
        }
        return process;
    }

    /** For root alone, or any voter where nobody is asked who he is. */
    private EtcdProcess voter() throws EtcdException {
        return admitted(anybodysVoter(), true);
    }

    private EtcdProcess admitted(EtcdProcess process, boolean rootOnly) throws EtcdException {
        FakeAuth auth = etcd.auth(process.data().clusterId());
        if (!auth.enabled) {
            return process;
        }
        Credentials us = known(
                auth,
                credentials.orElseThrow(() -> new EtcdException(
                        Kind.NO_ACCESS, "etcd asks for a user and a password, and there are none to give")));
        if (auth.login(us) != Accounts.Login.ACCEPTED) {
            throw new EtcdException(
                    Kind.NO_ACCESS, "etcd does not take the password of user " + us.user() + ", or has no such user");
        }
        if (rootOnly && !auth.isRoot(us.user())) {
            throw new EtcdException(Kind.NO_ACCESS, "etcd does not allow this to user " + us.user());
        }
        return process;
    }

    /** The first of those it could be whose password is right, or the last. */
    private static Credentials known(FakeAuth auth, Credentials us) {
        return us.otherwise()
                .filter(other -> auth.login(us) != Accounts.Login.ACCEPTED)
                .map(other -> known(auth, other))
                .orElse(us);
    }
}
