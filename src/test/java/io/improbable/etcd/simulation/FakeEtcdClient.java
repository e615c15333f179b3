package io.improbable.etcd.simulation;

import io.improbable.etcd.domain.MemberId;
import io.improbable.etcd.etcd.EtcdClient;
import io.improbable.etcd.etcd.EtcdException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A connection to whatever process is behind an address at the moment of a call. */
public final class FakeEtcdClient implements EtcdClient {
    static final String VERSION = "3.6.16";

    private final FakeEtcd etcd;
    private final Supplier<Optional<EtcdProcess>> address;

    public FakeEtcdClient(FakeEtcd etcd, Supplier<Optional<EtcdProcess>> address) {
        this.etcd = etcd;
        this.address = address;
    }

    @Override
    public MemberStatus status(Duration deadline) throws EtcdException {
        EtcdProcess process = ready();
        MemberData data = process.data();
        return new MemberStatus(
                data.clusterId(),
                data.self(),
                VERSION,
                20_480L + 100L * data.lastIndex(),
                leader(process).map(leader -> leader.data().self()).orElse(new MemberId(0)),
                false,
                data.term(),
                data.lastIndex(),
                List.of());
    }

    @Override
    public List<ListedMember> members(Duration deadline) throws EtcdException {
        return ready().data().members();
    }

    @Override
    public void linearizableRead(Duration deadline) throws EtcdException {
        if (leader(ready()).isEmpty()) {
            throw new EtcdException(EtcdException.Kind.NO_ANSWER, "linearizable read: no answer in time");
        }
    }

    @Override
    public List<ListedMember> agreedMembers(Duration deadline) throws EtcdException {
        linearizableRead(deadline);
        return members(deadline);
    }

    @Override
    public void add(String peerUrl, boolean learner, Duration deadline) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void remove(MemberId member, Duration deadline) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void promote(MemberId learner, Duration deadline) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void moveLeader(MemberId to, Duration deadline) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void whenDisconnected(Runnable told) {}

    @Override
    public void close() {}

    private Optional<EtcdProcess> leader(EtcdProcess process) {
        return etcd.leader(process.data().clusterId())
                .filter(leader -> etcd.group(process).contains(leader));
    }

    private EtcdProcess ready() throws EtcdException {
        EtcdProcess process = address.get()
                .filter(EtcdProcess::isRunning)
                .orElseThrow(() -> new EtcdException(EtcdException.Kind.NO_ANSWER, "status: no connection"));
        if (!process.isReady()) {
            throw new EtcdException(EtcdException.Kind.NO_ANSWER, "status: no answer in time");
        }
        return process;
    }
}
