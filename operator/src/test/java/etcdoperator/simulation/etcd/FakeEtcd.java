package etcdoperator.simulation.etcd;

import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.simulation.replay.Dice;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;

/** All the etcd clusters there are: how their members start and leave, and what clients get to see. */
public final class FakeEtcd {
    private static final String ON_EMPTY_VOLUME =
            "cannot fetch cluster info from peer urls: could not retrieve cluster information";

    private final EtcdProcesses processes;
    private final FakeRaft raft;
    private final Map<ClusterId, Set<Integer>> acknowledged = new HashMap<>();
    private final Dice dice;
    private final Map<ClusterId, FakeAuth> auth = new HashMap<>();
    private final FakeVersions versions = new FakeVersions();

    /** @param network whether two processes reach each other */
    public FakeEtcd(BiPredicate<EtcdProcess, EtcdProcess> network, Dice dice) {
        this.processes = new EtcdProcesses(network);
        this.raft = new FakeRaft(processes, dice);
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

    public EtcdProcess start(StartFlags flags, Volume volume, String node, PodTls tls) {
        if (volume.user().isPresent()) {
            throw new IllegalStateException("a second etcd on volume " + volume);
        }
        processes.forgetThoseThatEnded();
        var process = new EtcdProcess(flags, volume, node, tls);
        if (volume.isAway() && flags.isSealed()) {
            process.exit(ON_EMPTY_VOLUME);
        } else if (volume.isCorrupt()) {
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
        if (processes.peers(process).stream().anyMatch(other -> other.data().hasPublished(self))) {
            process.exit("member " + self + " has already been bootstrapped");
        } else {
            process.volume().format(MemberData.founder(flags));
        }
    }

    /** Its id is the one listed under its URL. Whether that member has run before, and on which disk, nobody asks. */
    private void join(EtcdProcess process) {
        StartFlags flags = process.flags();
        Optional<MemberData> known =
                processes.peers(process).stream().map(EtcdProcess::data).findFirst();
        if (known.isEmpty()) {
            process.exit(ON_EMPTY_VOLUME);
            return;
        }
        Map<String, MemberId> listed = new HashMap<>();
        known.get().members().forEach(member -> listed.put(member.peerUrls().getFirst(), member.id()));
        if (!flags.initialCluster().containsValue(flags.peerUrl())) {
            process.exit("--initial-cluster has it by other URLs than --initial-advertise-peer-urls");
            return;
        }
        if (!listed.keySet().equals(Set.copyOf(flags.initialCluster().values()))) {
            process.exit("error validating peerURLs: member count is unequal");
            return;
        }
        var data = MemberData.joiner(known.get().clusterId(), listed.get(flags.peerUrl()));
        // It may be sent all that the others keep.
        data.writtenBy(known.get().oldestEntry());
        process.volume().format(data);
    }

    /** Lets one thing happen in every cluster: an election, or word from the leader to one member. */
    public void tick() {
        processes.forgetThoseThatEnded();
        processes.all().forEach(this::leaveIfRemoved);
        processes.forgetThoseThatEnded();
        List<ClusterId> ids = processes.all().stream()
                .map(p -> p.data().clusterId())
                .distinct()
                .toList();
        for (ClusterId id : ids) {
            Optional<EtcdProcess> leader = raft.leader(id);
            if (leader.isPresent()) {
                keepConnections(leader.get());
                versions.tick(leader.get(), processes.group(leader.get()));
                dice.pick(processes.group(leader.get())).ifPresent(member -> raft.hear(leader.get(), member));
            } else {
                raft.elect(id);
            }
        }
    }

    /** It sees its own removal, or is told of it by the first one it talks to. */
    private void leaveIfRemoved(EtcdProcess process) {
        MemberId self = process.data().self();
        if (processes.group(process).stream().anyMatch(other -> other.data().hasRemoved(self))) {
            process.exit("the member has been permanently removed from the cluster");
        }
    }

    private void keepConnections(EtcdProcess leader) {
        processes.all().stream()
                .filter(process -> EtcdProcesses.isOfSameCluster(process, leader))
                .forEach(process -> process.connected(processes.reach(leader, process)));
    }

    /** @return whether a quorum took the write */
    public boolean write(ClusterId id, int value) {
        Optional<EtcdProcess> leader = raft.leader(id);
        if (leader.isEmpty()) {
            return false;
        }
        leader.get().data().append(new Entry.Write(leader.get().data().term(), value));
        if (dice.oneIn(8) || !raft.agree(leader.get())) {
            return false;
        }
        acknowledged.computeIfAbsent(id, key -> new HashSet<>()).add(value);
        return true;
    }

    /** @return whether a quorum took the change */
    boolean change(EtcdProcess leader, Entry change) {
        leader.data().append(change);
        return raft.agree(leader);
    }

    /** What a linearizable reader sees, if there is a quorum to serve one. */
    public Optional<Set<Integer>> read(ClusterId id) {
        return raft.leader(id).map(leader -> leader.data().writes());
    }

    public Set<Integer> acknowledged(ClusterId id) {
        return acknowledged.getOrDefault(id, Set.of());
    }

    /** From now on these are owed to whoever reads of the cluster. */
    public void restored(ClusterId id, List<Integer> values) {
        acknowledged.put(id, new HashSet<>(values));
    }

    /** Whether members that run and reach each other could take a write, now or after an election. */
    public boolean couldWrite(ClusterId id) {
        return raft.couldLead(id);
    }

    public List<ClusterId> clusters() {
        return List.copyOf(acknowledged.keySet());
    }

    public List<EtcdProcess> running() {
        return processes.all().stream().filter(EtcdProcess::isRunning).toList();
    }

    public Optional<EtcdProcess> leader(ClusterId id) {
        return raft.leader(id);
    }

    /** Every process of the same cluster that this one reaches, itself among them. */
    public List<EtcdProcess> group(EtcdProcess process) {
        return processes.group(process);
    }

    /** The volume on which a member of this id has been part of a quorum before, if there is one. */
    public Optional<Volume> joinedOn(MemberId member) {
        return raft.joinedOn(member);
    }

    /** How much of the leader's log a member has. */
    public int matched(EtcdProcess leader, MemberId member) {
        return raft.matched(leader, member);
    }

    /** @return whether the member, whose log is brought up to date first, leads now */
    boolean handOver(EtcdProcess leader, EtcdProcess to) {
        return raft.handOver(leader, to);
    }
}
