package etcdoperator.simulation.etcd;

import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.simulation.replay.Dice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How processes choose a leader and take over its log. Just enough of raft for amnesia: a vote counts by the member id,
 * and nobody can tell that its voter has forgotten.
 */
final class FakeRaft {
    private final Map<ClusterId, EtcdProcess> leaders = new HashMap<>();
    /** How much of the log each member has taken from the leader of now. */
    private final Map<ClusterId, Map<MemberId, Integer>> matched = new HashMap<>();

    private final Map<MemberId, Volume> joined = new HashMap<>();
    private final EtcdProcesses processes;
    private final Dice dice;

    FakeRaft(EtcdProcesses processes, Dice dice) {
        this.processes = processes;
        this.dice = dice;
    }

    Optional<EtcdProcess> leader(ClusterId id) {
        return Optional.ofNullable(leaders.get(id)).filter(leader -> leader.isRunning() && hasQuorum(leader));
    }

    /** The volume on which a member of this id has been part of a quorum before, if there is one. */
    Optional<Volume> joinedOn(MemberId member) {
        return Optional.ofNullable(joined.get(member));
    }

    /** How much of the leader's log a member has. */
    int matched(EtcdProcess leader, MemberId member) {
        return matched.getOrDefault(leader.data().clusterId(), Map.of()).getOrDefault(member, 0);
    }

    /** As this one sees it: an old member list makes an old quorum. */
    private boolean hasQuorum(EtcdProcess process) {
        return process.data().isVoter(process.data().self())
                && process.data().quorum().metBy(voters(process).size());
    }

    private List<EtcdProcess> voters(EtcdProcess process) {
        return processes.group(process).stream()
                .filter(other -> process.data().isVoter(other.data().self()))
                .toList();
    }

    boolean couldLead(ClusterId id) {
        return processes.all().stream()
                .anyMatch(process ->
                        process.isRunning() && process.data().clusterId().equals(id) && hasQuorum(process));
    }

    /** Somebody asks for votes, and gets that of everybody who knows no more than he does. */
    void elect(ClusterId id) {
        List<EtcdProcess> candidates = processes.all().stream()
                .filter(process -> process.data().clusterId().equals(id) && hasQuorum(process))
                .toList();
        dice.pick(candidates).ifPresent(candidate -> {
            List<EtcdProcess> grants = voters(candidate).stream()
                    .filter(voter -> voter != candidate && voter.data().knowsNoMoreThan(candidate.data()))
                    .toList();
            int needed = candidate.data().quorum().needed() - 1;
            if (grants.size() >= needed) {
                lead(candidate, dice.shuffled(grants).subList(0, needed));
            }
        });
    }

    private void lead(EtcdProcess leader, List<EtcdProcess> voters) {
        long term = Math.max(
                leader.data().term(),
                voters.stream().mapToLong(voter -> voter.data().term()).max().orElse(0));
        leader.data().setTerm(term + 1);
        leader.data().append(new Entry.Nothing(term + 1));
        takeOver(leader);
        agree(leader, voters);
    }

    private void takeOver(EtcdProcess leader) {
        leaders.put(leader.data().clusterId(), leader);
        matched.put(leader.data().clusterId(), new HashMap<>());
        joined.putIfAbsent(leader.data().self(), leader.volume());
    }

    /** @return whether the member, whose log is brought up to date first, leads now */
    boolean handOver(EtcdProcess leader, EtcdProcess to) {
        follow(leader, to);
        if (!to.isRunning() || !to.data().isVoter(to.data().self())) {
            return false;
        }
        lead(to, List.of(leader));
        return true;
    }

    /** Brings the leader's log to a quorum and no further: the others lag behind. */
    boolean agree(EtcdProcess leader) {
        return agree(leader, List.of());
    }

    /** @param first those who are asked before others are */
    private boolean agree(EtcdProcess leader, List<EtcdProcess> first) {
        int needed = leader.data().quorum().needed() - 1;
        List<EtcdProcess> quorum = new ArrayList<>(first);
        quorum.remove(leader);
        for (EtcdProcess other : dice.shuffled(voters(leader))) {
            if (other != leader && !quorum.contains(other) && quorum.size() < needed) {
                quorum.add(other);
            }
        }
        quorum.forEach(follower -> follow(leader, follower));
        quorum.removeIf(follower -> !follower.isRunning());
        if (quorum.size() < needed) {
            return false;
        }
        leader.data().commitAll();
        quorum.forEach(follower -> follow(leader, follower));
        return true;
    }

    void hear(EtcdProcess leader, EtcdProcess member) {
        if (member != leader) {
            follow(leader, member);
        }
        MemberId id = member.data().self();
        if (!member.isRunning() || member.isReady() || !leader.data().lists(id)) {
            return;
        }
        member.becomeReady();
        if (!leader.data().hasPublished(id)) {
            StartFlags flags = member.flags();
            leader.data().append(new Entry.Publish(leader.data().term(), id, flags.name(), flags.clientUrl()));
            agree(leader, leader.data().isVoter(id) ? List.of(member) : List.of());
        }
    }

    /** A leader that has seen a member with more than it has now tells it to commit what it has not: it panics. */
    private void follow(EtcdProcess leader, EtcdProcess follower) {
        Map<MemberId, Integer> known = matched.get(leader.data().clusterId());
        MemberId id = follower.data().self();
        joined.putIfAbsent(leader.data().self(), leader.volume());
        joined.putIfAbsent(id, follower.volume());
        boolean forgot = follower.data().lastIndex()
                < Math.min(known.getOrDefault(id, 0), leader.data().committed());
        if (forgot || !follower.data().follow(leader.data())) {
            follower.exit("tocommit is out of range");
        } else {
            known.put(id, leader.data().lastIndex());
        }
    }
}
