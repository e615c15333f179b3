package io.improbable.etcd.simulation;

import io.improbable.etcd.domain.ClusterId;
import io.improbable.etcd.domain.MemberId;
import io.improbable.etcd.domain.Quorum;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * All the etcd processes there are, and what they make of each other. Just enough of raft for amnesia: a vote counts by
 * the member id, and nobody can tell that its voter has forgotten.
 */
public final class FakeEtcd {
    private final List<EtcdProcess> processes = new ArrayList<>();
    private final Map<ClusterId, EtcdProcess> leaders = new HashMap<>();
    private final Map<ClusterId, Set<Integer>> acknowledged = new HashMap<>();
    private final Map<MemberId, Volume> joined = new HashMap<>();
    private final BiPredicate<EtcdProcess, EtcdProcess> network;

    /** @param network whether two processes reach each other */
    public FakeEtcd(BiPredicate<EtcdProcess, EtcdProcess> network) {
        this.network = network;
    }

    /** Starts etcd; one that refuses to run has said why and ended. */
    public EtcdProcess start(StartFlags flags, Volume volume, String node) {
        if (volume.user().isPresent()) {
            throw new IllegalStateException("a second etcd on volume " + volume);
        }
        processes.removeIf(process -> !process.isRunning());
        var process = new EtcdProcess(flags, volume, node);
        if (volume.data().isEmpty()) {
            if (!flags.founds()) {
                process.exit("cannot fetch cluster info from peer urls");
                return process;
            }
            if (isKnownToPeers(process)) {
                process.exit("member " + flags.memberId(flags.peerUrl()) + " has already been bootstrapped");
                return process;
            }
            volume.format(MemberData.founder(flags));
        }
        volume.takenBy(process);
        processes.add(process);
        return process;
    }

    /** The volume on which a member of this id has been part of a quorum before, if there is one. */
    Optional<Volume> joinedOn(MemberId member) {
        return Optional.ofNullable(joined.get(member));
    }

    /** A founder asks the others first, as far as they run. */
    private boolean isKnownToPeers(EtcdProcess founder) {
        StartFlags flags = founder.flags();
        return processes.stream()
                .filter(other ->
                        flags.initialCluster().containsValue(other.flags().peerUrl()))
                .filter(other -> reach(founder, other))
                .anyMatch(other -> other.data().published().contains(flags.memberId(flags.peerUrl())));
    }

    /** Lets one thing happen in every cluster: an election, or word from the leader to one member. */
    public void tick(Dice dice) {
        processes.removeIf(process -> !process.isRunning());
        List<ClusterId> ids =
                processes.stream().map(p -> p.data().clusterId()).distinct().toList();
        for (ClusterId id : ids) {
            Optional<EtcdProcess> leader = leader(id);
            if (leader.isPresent()) {
                dice.pick(group(leader.get())).ifPresent(member -> hear(leader.get(), member, dice));
            } else {
                elect(id, dice);
            }
        }
    }

    /** @return whether a quorum took the write */
    public boolean write(ClusterId id, int value, Dice dice) {
        Optional<EtcdProcess> leader = leader(id);
        if (leader.isEmpty()) {
            return false;
        }
        leader.get().data().append(new Entry.Write(leader.get().data().term(), value));
        if (dice.oneIn(8)) {
            return false;
        }
        agree(leader.get(), List.of(), dice);
        acknowledged.computeIfAbsent(id, key -> new HashSet<>()).add(value);
        return true;
    }

    /** What a linearizable reader sees, if there is a quorum to serve one. */
    public Optional<Set<Integer>> read(ClusterId id) {
        return leader(id).map(leader -> leader.data().writes());
    }

    public Set<Integer> acknowledged(ClusterId id) {
        return acknowledged.getOrDefault(id, Set.of());
    }

    List<ClusterId> clusters() {
        return List.copyOf(acknowledged.keySet());
    }

    List<EtcdProcess> running() {
        return processes.stream().filter(EtcdProcess::isRunning).toList();
    }

    Optional<EtcdProcess> leader(ClusterId id) {
        return Optional.ofNullable(leaders.get(id)).filter(leader -> leader.isRunning() && hasQuorum(leader));
    }

    /** Every process of the same cluster that this one reaches, itself among them. */
    List<EtcdProcess> group(EtcdProcess process) {
        return processes.stream()
                .filter(EtcdProcess::isRunning)
                .filter(other -> other.data().clusterId().equals(process.data().clusterId()))
                .filter(other -> reach(process, other))
                .toList();
    }

    private boolean reach(EtcdProcess one, EtcdProcess other) {
        return one == other || (other.isRunning() && network.test(one, other));
    }

    private boolean hasQuorum(EtcdProcess process) {
        return quorum(process).metBy(group(process).size());
    }

    private static Quorum quorum(EtcdProcess process) {
        return new Quorum(process.data().voters());
    }

    /** Any quorum may elect; it takes the one of its own that knows most. */
    private void elect(ClusterId id, Dice dice) {
        List<EtcdProcess> candidates = processes.stream()
                .filter(process -> process.data().clusterId().equals(id) && hasQuorum(process))
                .toList();
        dice.pick(candidates).ifPresent(caller -> {
            List<EtcdProcess> voters =
                    dice.shuffled(group(caller)).subList(0, quorum(caller).needed());
            EtcdProcess leader = voters.stream()
                    .max(Comparator.comparingLong(
                                    (EtcdProcess voter) -> voter.data().lastTerm())
                            .thenComparingInt(voter -> voter.data().lastIndex()))
                    .orElseThrow();
            long term = voters.stream()
                            .mapToLong(voter -> voter.data().term())
                            .max()
                            .orElseThrow()
                    + 1;
            leader.data().setTerm(term);
            leader.data().append(new Entry.Nothing(term));
            leaders.put(id, leader);
            joined.putIfAbsent(leader.data().self(), leader.volume());
            agree(leader, voters, dice);
        });
    }

    /** Brings the leader's log to a quorum and no further: the others lag behind. */
    private void agree(EtcdProcess leader, List<EtcdProcess> first, Dice dice) {
        List<EtcdProcess> quorum = new ArrayList<>(first);
        quorum.remove(leader);
        for (EtcdProcess other : dice.shuffled(group(leader))) {
            if (other != leader
                    && !quorum.contains(other)
                    && quorum.size() + 1 < quorum(leader).needed()) {
                quorum.add(other);
            }
        }
        quorum.forEach(follower -> follow(leader, follower));
        leader.data().commitAll();
        quorum.stream().filter(EtcdProcess::isRunning).forEach(follower -> follow(leader, follower));
    }

    private void hear(EtcdProcess leader, EtcdProcess member, Dice dice) {
        if (member != leader) {
            follow(leader, member);
        }
        if (!member.isRunning() || member.isReady()) {
            return;
        }
        member.becomeReady();
        MemberId id = member.data().self();
        if (!leader.data().published().contains(id)) {
            leader.data()
                    .append(new Entry.Publish(
                            leader.data().term(), id, member.flags().clientUrl()));
            agree(leader, List.of(member), dice);
        }
    }

    private void follow(EtcdProcess leader, EtcdProcess follower) {
        joined.putIfAbsent(leader.data().self(), leader.volume());
        joined.putIfAbsent(follower.data().self(), follower.volume());
        if (!follower.data().follow(leader.data())) {
            follower.exit("tocommit is out of range");
        }
    }
}
