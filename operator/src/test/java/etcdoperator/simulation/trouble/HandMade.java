package etcdoperator.simulation.trouble;

import etcdoperator.domain.MemberId;
import etcdoperator.etcd.EtcdClient.ListedMember;
import etcdoperator.etcd.EtcdException;
import etcdoperator.simulation.etcd.EtcdProcess;
import etcdoperator.simulation.etcd.Reconfiguration;
import etcdoperator.simulation.replay.Dice;
import etcdoperator.simulation.world.World;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Somebody with etcdctl, who knows nothing of an operator. */
final class HandMade {
    private final World world;
    private final Dice dice;
    private final Set<MemberId> removed = new HashSet<>();
    private boolean changed;

    HandMade(World world, Dice dice) {
        this.world = world;
        this.dice = dice;
    }

    boolean haveChangedMembers() {
        return changed;
    }

    /** Whoever does this has its claim to clean up, too. */
    boolean haveRemoved(MemberId member) {
        return removed.contains(member);
    }

    private interface Change {
        void make(Reconfiguration etcd) throws EtcdException;
    }

    /** Under a strange address, or one that a peer of ours will want. */
    void addMember() {
        String url = dice.oneIn(2) ? "http://stranger:2380" : "http://c-%d.c.ns.svc:2380".formatted(dice.below(5));
        boolean learner = dice.oneIn(2);
        change("adds %s %s a vote".formatted(url, learner ? "without" : "with"), etcd -> etcd.add(url, learner));
    }

    void removeMember() {
        leader().flatMap(leader -> dice.pick(leader.data().members()))
                .map(ListedMember::id)
                .ifPresent(id -> change("removes " + id, etcd -> {
                    etcd.remove(id);
                    removed.add(id);
                }));
    }

    private void change(String what, Change change) {
        leader().ifPresent(leader -> {
            try {
                change.make(new Reconfiguration(world.etcd(), leader));
                changed = true;
                world.trace().note("trouble: somebody " + what);
            } catch (EtcdException e) {
                world.trace().note("trouble: somebody " + what + ", but: " + e.why());
            }
        });
    }

    private Optional<EtcdProcess> leader() {
        return dice.pick(world.etcd().running().stream()
                .flatMap(process -> world.etcd().leader(process.data().clusterId()).stream())
                .toList());
    }
}
