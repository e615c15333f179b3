package io.improbable.etcd.simulation;

import io.improbable.etcd.domain.ClusterId;
import io.improbable.etcd.domain.MemberId;
import java.util.ArrayList;
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
    /** How much of the log each member has taken from the leader of now. */
    private final Map<ClusterId, Map<MemberId, Integer>> matched = new HashMap<>();

    private final Map<ClusterId, Set<Integer>> acknowledged = new HashMap<>();
    private final Map<MemberId, Volume> joined = new HashMap<>();
    private final BiPredicate<EtcdProcess, EtcdProcess> network;
    private final Dice dice;
    private final Map<ClusterId, FakeAuth> auth = new HashMap<>();
    private final FakeVersions versions = new FakeVersions();

    /** @param network whether two processes reach each other */
    public FakeEtcd(BiPredicate<EtcdProcess, EtcdProcess> network, Dice dice) {
        this.network = network;
        this.dice = dice;
    }

    FakeAuth auth(ClusterId cluster) {
        return auth.computeIfAbsent(cluster, key -> new FakeAuth());
    }

    FakeVersions versions() {
        return versions;
    }

    /** Starts etcd; one that refuses to run has said why and ended. */
    public EtcdProcess start(StartFlags flags, Volume volume, String node) {
        return start(flags, volume, node, PodTls.NONE);
    }

    EtcdProcess start(StartFlags flags, Volume volume, String node, PodTls tls) {
        if (volume.user().isPresent()) {
            throw new IllegalStateException("a second etcd on volume " + volume);
        }
        processes.removeIf(process -> !process.isRunning());
        var process = new EtcdProcess(flags, volume, node, tls);
        if (volume.isCorrupt()) {
            process.exit("walpb: crc mismatch");
        } else if (volume.data().isEmpty() && flags.founds()) {
            found(process);
        } else if (volume.data().isEmpty()) {
            join(process);
        }
        if (process.isRunning()) {
            versions.refusal(process).ifPresent(process::exit);
        }
        if (process.isRunning()) {
            volume.takenBy(process);
            processes.add(process);
        }
        return process;
    }

    private void found(EtcdProcess process) {
        StartFlags flags = process.flags();
        MemberId self = flags.memberId(flags.peerUrl());
        if (peers(process).stream().anyMatch(other -> other.data().hasPublished(self))) {
            process.exit("member " + self + " has already been bootstrapped");
        } else {
            process.volume().format(MemberData.founder(flags));
        }
    }

    /** Its id is the one listed under its URL. Whether that member has run before, and on which disk, nobody asks. */
    private void join(EtcdProcess process) {
        StartFlags flags = process.flags();
        Optional<MemberData> known =
                peers(process).stream().map(EtcdProcess::data).findFirst();
        if (known.isEmpty()) {
            process.exit("cannot fetch cluster info from peer urls: could not retrieve cluster information");
            return;
        }
        Map<String, MemberId> listed = new HashMap<>();
        known.get().members().forEach(member -> listed.put(member.peerUrls().getFirst(), member.id()));
        if (!listed.keySet().equals(Set.copyOf(flags.initialCluster().values()))) {
            process.exit("error validating peerURLs: member count is unequal");
            return;
        }
        var data = MemberData.joiner(known.get().clusterId(), listed.get(flags.peerUrl()));
        // It may be sent all that the others keep.
        data.writtenBy(known.get().oldestEntry());
        process.volume().format(data);
    }

    /** The others it was told of, as far as they run and it reaches them. */
    private List<EtcdProcess> peers(EtcdProcess process) {
        StartFlags flags = process.flags();
        return processes.stream()
                .filter(other -> !other.flags().peerUrl().equals(flags.peerUrl()))
                .filter(other ->
                        flags.initialCluster().containsValue(other.flags().peerUrl()))
                .filter(other -> reach(process, other))
                .toList();
    }

    /** The volume on which a member of this id has been part of a quorum before, if there is one. */
    Optional<Volume> joinedOn(MemberId member) {
        return Optional.ofNullable(joined.get(member));
    }

    /** Lets one thing happen in every cluster: an election, or word from the leader to one member. */
    public void tick() {
        processes.removeIf(process -> !process.isRunning());
        List.copyOf(processes).forEach(this::leaveIfRemoved);
        processes.removeIf(process -> !process.isRunning());
        List<ClusterId> ids =
                processes.stream().map(p -> p.data().clusterId()).distinct().toList();
        for (ClusterId id : ids) {
            Optional<EtcdProcess> leader = leader(id);
            if (leader.isPresent()) {
                keepConnections(leader.get());
                versions.tick(leader.get(), group(leader.get()));
                dice.pick(group(leader.get())).ifPresent(member -> hear(leader.get(), member));
            } else {
                elect(id);
            }
        }
    }

    /** It sees its own removal, or is told of it by the first one it talks to. */
    private void leaveIfRemoved(EtcdProcess process) {
        MemberId self = process.data().self();
        if (group(process).stream().anyMatch(other -> other.data().hasRemoved(self))) {
            process.exit("the member has been permanently removed from the cluster");
        }
    }

    private void keepConnections(EtcdProcess leader) {
        processes.stream()
                .filter(process -> isOfSameCluster(process, leader))
                .forEach(process -> process.connected(reach(leader, process)));
    }

    /** @return whether a quorum took the write */
    public boolean write(ClusterId id, int value) {
        Optional<EtcdProcess> leader = leader(id);
        if (leader.isEmpty()) {
            return false;
        }
        leader.get().data().append(new Entry.Write(leader.get().data().term(), value));
        if (dice.oneIn(8) || !agree(leader.get(), List.of())) {
            return false;
        }
        acknowledged.computeIfAbsent(id, key -> new HashSet<>()).add(value);
        return true;
    }

    /** @return whether a quorum took the change */
    boolean change(EtcdProcess leader, Entry change) {
        leader.data().append(change);
        return agree(leader, List.of());
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
                .filter(other -> other.isRunning() && isOfSameCluster(other, process) && reach(process, other))
                .toList();
    }

    /** How much of the leader's log a member has. */
    int matched(EtcdProcess leader, MemberId member) {
        return matched.getOrDefault(leader.data().clusterId(), Map.of()).getOrDefault(member, 0);
    }

    private static boolean isOfSameCluster(EtcdProcess one, EtcdProcess other) {
        return one.data().clusterId().equals(other.data().clusterId());
    }

    private boolean reach(EtcdProcess one, EtcdProcess other) {
        return one == other || (other.isRunning() && network.test(one, other));
    }

    /** As this one sees it: an old member list makes an old quorum. */
    private boolean hasQuorum(EtcdProcess process) {
        return process.data().isVoter(process.data().self())
                && process.data().quorum().metBy(voters(process).size());
    }

    private List<EtcdProcess> voters(EtcdProcess process) {
        return group(process).stream()
                .filter(other -> process.data().isVoter(other.data().self()))
                .toList();
    }

    /** Somebody asks for votes, and gets that of everybody who knows no more than he does. */
    private void elect(ClusterId id) {
        List<EtcdProcess> candidates = processes.stream()
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

    private void hear(EtcdProcess leader, EtcdProcess member) {
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
