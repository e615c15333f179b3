package etcdoperator.simulation;

import etcdoperator.domain.MemberId;
import etcdoperator.etcd.Accounts;
import etcdoperator.etcd.Alarm;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdException;
import java.time.Duration;
import java.util.List;

/** Passes everything on; mistakes are made by overriding. */
class SpoiledEtcd implements EtcdClient {
    private final EtcdClient honest;

    SpoiledEtcd(EtcdClient honest) {
        this.honest = honest;
    }

    @Override
    public MemberStatus status(Duration deadline) throws EtcdException {
        return honest.status(deadline);
    }

    @Override
    public List<ListedMember> members(Duration deadline) throws EtcdException {
        return honest.members(deadline);
    }

    @Override
    public List<ListedMember> agreedMembers(Duration deadline) throws EtcdException {
        return honest.agreedMembers(deadline);
    }

    @Override
    public MemberId add(String peerUrl, boolean learner, Duration deadline) throws EtcdException {
        return honest.add(peerUrl, learner, deadline);
    }

    @Override
    public void remove(MemberId member, Duration deadline) throws EtcdException {
        honest.remove(member, deadline);
    }

    @Override
    public void promote(MemberId learner, Duration deadline) throws EtcdException {
        honest.promote(learner, deadline);
    }

    @Override
    public void relist(MemberId member, String peerUrl, Duration deadline) throws EtcdException {
        honest.relist(member, peerUrl, deadline);
    }

    @Override
    public void moveLeader(MemberId to, Duration deadline) throws EtcdException {
        honest.moveLeader(to, deadline);
    }

    @Override
    public void linearizableRead(Duration deadline) throws EtcdException {
        honest.linearizableRead(deadline);
    }

    @Override
    public void defragment(Duration deadline) throws EtcdException {
        honest.defragment(deadline);
    }

    @Override
    public Hash hashKv(long revision, Duration deadline) throws EtcdException {
        return honest.hashKv(revision, deadline);
    }

    @Override
    public void compact(long revision, Duration deadline) throws EtcdException {
        honest.compact(revision, deadline);
    }

    @Override
    public void disarm(MemberId member, Alarm.Kind alarm, Duration deadline) throws EtcdException {
        honest.disarm(member, alarm, deadline);
    }

    @Override
    public void enableDowngrade(String minor, Duration deadline) throws EtcdException {
        honest.enableDowngrade(minor, deadline);
    }

    @Override
    public void cancelDowngrade(Duration deadline) throws EtcdException {
        honest.cancelDowngrade(deadline);
    }

    @Override
    public void commitNothing(Duration deadline) throws EtcdException {
        honest.commitNothing(deadline);
    }

    @Override
    public Accounts accounts() {
        return honest.accounts();
    }

    @Override
    public void whenDisconnected(Runnable told) {
        honest.whenDisconnected(told);
    }

    @Override
    public void close() {
        honest.close();
    }
}
