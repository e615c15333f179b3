package etcdoperator.cluster.execute;

import etcdoperator.domain.MemberId;
import etcdoperator.etcd.Accounts;
import etcdoperator.etcd.Alarm;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Says yes to every change and writes it down, unless it was told to fail. */
public final class ObedientEtcd implements EtcdClient, EtcdClient.Factory {
    public final List<String> calls = new ArrayList<>();
    public final List<Endpoint> endpoints = new ArrayList<>();
    private final Map<String, EtcdException> failures = new HashMap<>();
    private List<ListedMember> list;
    private Optional<MemberStatus> status = Optional.empty();
    private Hash hash = new Hash(0, 0, 0);

    public ObedientEtcd(List<ListedMember> list) {
        this.list = list;
    }

    public void lists(List<ListedMember> members) {
        list = members;
    }

    void hashes(Hash answer) {
        hash = answer;
    }

    void says(MemberStatus answer) {
        status = Optional.of(answer);
    }

    /** @param call as {@link #calls} would show it */
    public void fails(String call, EtcdException failure) {
        failures.put(call, failure);
    }

    @Override
    public EtcdClient connect(Endpoint endpoint) {
        endpoints.add(endpoint);
        return this;
    }

    @Override
    public List<ListedMember> agreedMembers(Duration deadline) throws EtcdException {
        call("agreed list");
        return list;
    }

    @Override
    public MemberId add(String peerUrl, boolean learner, Duration deadline) throws EtcdException {
        call("add " + peerUrl);
        return new MemberId(0xadd);
    }

    @Override
    public void remove(MemberId member, Duration deadline) throws EtcdException {
        call("remove " + member);
    }

    @Override
    public void promote(MemberId learner, Duration deadline) throws EtcdException {
        call("promote " + learner);
    }

    @Override
    public void relist(MemberId member, String peerUrl, Duration deadline) throws EtcdException {
        call("relist " + member + " at " + peerUrl);
    }

    @Override
    public void moveLeader(MemberId to, Duration deadline) throws EtcdException {
        call("move leader to " + to);
    }

    @Override
    public void defragment(Duration deadline) throws EtcdException {
        call("defragment");
    }

    @Override
    public Hash hashKv(long revision, Duration deadline) throws EtcdException {
        call("hash at " + revision);
        return hash;
    }

    @Override
    public void compact(long revision, Duration deadline) throws EtcdException {
        call("compact " + revision);
    }

    @Override
    public void disarm(MemberId member, Alarm.Kind alarm, Duration deadline) throws EtcdException {
        call("disarm " + alarm + " of " + member);
    }

    @Override
    public void enableDowngrade(String minor, Duration deadline) throws EtcdException {
        call("downgrade to " + minor);
    }

    @Override
    public void cancelDowngrade(Duration deadline) throws EtcdException {
        call("cancel downgrade");
    }

    @Override
    public void commitNothing(Duration deadline) throws EtcdException {
        call("commit nothing");
    }

    @Override
    public MemberStatus status(Duration deadline) {
        return status.orElseThrow(() -> new AssertionError("a pass asks nobody for its status"));
    }

    @Override
    public List<ListedMember> members(Duration deadline) {
        throw new AssertionError("a pass asks for what a quorum agrees on");
    }

    @Override
    public void linearizableRead(Duration deadline) {}

    @Override
    public Accounts accounts() {
        throw new AssertionError("a pass asks nobody for accounts");
    }

    @Override
    public void whenDisconnected(Runnable told) {}

    @Override
    public void close() {}

    private void call(String what) throws EtcdException {
        calls.add(what);
        if (failures.containsKey(what)) {
            throw failures.get(what);
        }
    }
}
