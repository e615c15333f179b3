package etcdoperator.simulation;

import etcdoperator.domain.MemberId;
import etcdoperator.etcd.Accounts;
import etcdoperator.etcd.Alarm;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.MembershipChange;
import etcdoperator.simulation.Wire.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** One operator's hand on etcd: requests and answers get lost here as they do on the way to the API server. */
final class WiredEtcdClient implements EtcdClient {
    private final EtcdClient honest;
    private final Wire wire;
    private final MembershipRules rules;

    WiredEtcdClient(EtcdClient honest, Wire wire, MembershipRules rules) {
        this.honest = honest;
        this.wire = wire;
        this.rules = rules;
    }

    private interface Call<T> {
        T run() throws EtcdException;
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
    public void linearizableRead(Duration deadline) throws EtcdException {
        honest.linearizableRead(deadline);
    }

    @Override
    public List<ListedMember> agreedMembers(Duration deadline) throws EtcdException {
        return send(() -> wire.ask("ask for the members"), () -> honest.agreedMembers(deadline));
    }

    @Override
    public MemberId add(String peerUrl, boolean learner, Duration deadline) throws EtcdException {
        return changed(new MembershipChange.Add(peerUrl, learner), () -> honest.add(peerUrl, learner, deadline));
    }

    @Override
    public void remove(MemberId member, Duration deadline) throws EtcdException {
        change(new MembershipChange.Remove(member), () -> honest.remove(member, deadline));
    }

    @Override
    public void promote(MemberId learner, Duration deadline) throws EtcdException {
        change(new MembershipChange.Promote(learner), () -> honest.promote(learner, deadline));
    }

    @Override
    public void relist(MemberId member, String peerUrl, Duration deadline) throws EtcdException {
        change(new MembershipChange.Relist(member, peerUrl), () -> honest.relist(member, peerUrl, deadline));
    }

    @Override
    public void moveLeader(MemberId to, Duration deadline) throws EtcdException {
        change(new MembershipChange.MoveLeader(to), () -> honest.moveLeader(to, deadline));
    }

    @Override
    public void defragment(Duration deadline) throws EtcdException {
        upkeep("defragment", () -> honest.defragment(deadline));
    }

    @Override
    public Hash hashKv(long revision, Duration deadline) throws EtcdException {
        return send(() -> wire.ask("ask for a hash"), () -> honest.hashKv(revision, deadline));
    }

    @Override
    public void compact(long revision, Duration deadline) throws EtcdException {
        upkeep("compact " + revision, () -> honest.compact(revision, deadline));
    }

    @Override
    public void disarm(MemberId member, Alarm.Kind alarm, Duration deadline) throws EtcdException {
        upkeep("disarm " + alarm + " of " + member, () -> honest.disarm(member, alarm, deadline));
    }

    @Override
    public void enableDowngrade(String minor, Duration deadline) throws EtcdException {
        upkeep("downgrade to " + minor, () -> honest.enableDowngrade(minor, deadline));
    }

    @Override
    public void cancelDowngrade(Duration deadline) throws EtcdException {
        upkeep("cancel downgrade", () -> honest.cancelDowngrade(deadline));
    }

    @Override
    public void commitNothing(Duration deadline) throws EtcdException {
        upkeep("commit nothing", () -> honest.commitNothing(deadline));
    }

    @Override
    public Accounts accounts() {
        return honest.accounts();
    }

    @Override
    public void whenDisconnected(Runnable news) {
        honest.whenDisconnected(news);
    }

    @Override
    public void close() {
        honest.close();
    }

    private interface Change {
        void run() throws EtcdException;
    }

    private void change(MembershipChange change, Change carryOut) throws EtcdException {
        changed(change, () -> {
            carryOut.run();
            return change;
        });
    }

    private <T> T changed(MembershipChange change, Call<T> carryOut) throws EtcdException {
        return send(() -> wire.request(change.toString()), () -> {
            // Judged as things are before; but what etcd refuses has done no harm.
            Optional<Violation> judgement = rules.judge(change, wire.operator());
            T answer = carryOut.run();
            judgement.ifPresent(violation -> {
                throw violation;
            });
            return answer;
        });
    }

    private void upkeep(String what, Change carryOut) throws EtcdException {
        send(() -> wire.request(what), () -> {
            carryOut.run();
            return what;
        });
    }

    private <T> T send(Supplier<Optional<Fault>> request, Call<T> call) throws EtcdException {
        try {
            Optional<Fault> fault = request.get();
            T answer = call.run();
            wire.answer(fault);
            return answer;
        } catch (Wire.Broken e) {
            throw new EtcdException(EtcdException.Kind.NO_ANSWER, "no answer in time");
        }
    }
}
