package etcdoperator.simulation.etcd;

import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.Quorum;
import etcdoperator.domain.RestoredIds;
import etcdoperator.etcd.EtcdClient.ListedMember;
import etcdoperator.simulation.etcd.Entry.AddMember;
import etcdoperator.simulation.etcd.Entry.Nothing;
import etcdoperator.simulation.etcd.Entry.PromoteMember;
import etcdoperator.simulation.etcd.Entry.Publish;
import etcdoperator.simulation.etcd.Entry.RelistMember;
import etcdoperator.simulation.etcd.Entry.RemoveMember;
import etcdoperator.simulation.etcd.Entry.Write;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What a member keeps on its disk: a log, and what the part of it that was agreed on amounts to. */
public final class MemberData {
    /** How far a log goes. */
    public static final Comparator<MemberData> BY_LOG =
            Comparator.comparingLong(MemberData::lastTerm).thenComparingInt(MemberData::lastIndex);

    private final ClusterId clusterId;
    private final MemberId self;
    private final Map<MemberId, ListedMember> members = new LinkedHashMap<>();
    private final Set<MemberId> removed = new HashSet<>();
    private final Set<Integer> writes = new HashSet<>();
    private List<Entry> log = new ArrayList<>();
    private int committed;
    private int oldestEntry = Integer.MAX_VALUE;
    private int storage;
    private long term = 1;
    private long revision = 1;

    private MemberData(ClusterId clusterId, MemberId self) {
        this.clusterId = clusterId;
        this.self = self;
    }

    /** A founder writes the same first entries as every other founder, and takes them for agreed on. */
    static MemberData founder(StartFlags flags) {
        var data = new MemberData(flags.clusterId(), flags.memberId(flags.peerUrl()));
        flags.initialCluster()
                .forEach((name, url) -> data.log.add(new AddMember(1, flags.memberId(url), name, url, false)));
        data.commitAll();
        return data;
    }

    /** One that joins knows its name and nothing else, until the leader tells it. */
    static MemberData joiner(ClusterId clusterId, MemberId self) {
        return new MemberData(clusterId, self);
    }

    /** As etcdutl makes it: a cluster of one, with ids of its own and other people's data. */
    public static MemberData restored(RestoredIds ids, String name, String url, List<Integer> values) {
        var data = new MemberData(ids.clusterId(), ids.memberId());
        data.log.add(new AddMember(1, ids.memberId(), name, url, false));
        values.forEach(value -> data.log.add(new Write(1, value)));
        data.commitAll();
        return data;
    }

    public ClusterId clusterId() {
        return clusterId;
    }

    public MemberId self() {
        return self;
    }

    /** The oldest minor of etcd that has written what would be read again at the next start. */
    int oldestEntry() {
        return oldestEntry;
    }

    /** The oldest minor of etcd that can read it. */
    int storage() {
        return storage;
    }

    void storeFor(int minor) {
        storage = minor;
    }

    void writtenBy(int minor) {
        oldestEntry = Math.min(oldestEntry, minor);
    }

    /** A raft snapshot: nothing before it is ever read again. */
    public void writeSnapshot(int minor) {
        oldestEntry = minor;
    }

    long term() {
        return term;
    }

    void setTerm(long newTerm) {
        term = newTerm;
    }

    public int committed() {
        return committed;
    }

    public int lastIndex() {
        return log.size();
    }

    public long lastTerm() {
        return log.isEmpty() ? 0 : log.getLast().term();
    }

    /** Only such a one gives its vote. */
    boolean knowsNoMoreThan(MemberData candidate) {
        return BY_LOG.compare(this, candidate) <= 0;
    }

    void append(Entry entry) {
        log.add(entry);
    }

    void commitAll() {
        commit(log.size());
    }

    /** What was agreed on never changes, so that it needs to be looked at only once. */
    private void commit(int index) {
        while (committed < index) {
            apply(log.get(committed++));
        }
    }

    private void apply(Entry entry) {
        switch (entry) {
            case AddMember(long t, MemberId id, String name, String url, boolean learner) ->
                members.put(id, new ListedMember(id, name, List.of(url), List.of(), learner));
            case RemoveMember(long t, MemberId id) -> {
                members.remove(id);
                removed.add(id);
            }
            case PromoteMember(long t, MemberId id) ->
                members.computeIfPresent(
                        id, (k, m) -> new ListedMember(id, m.name(), m.peerUrls(), m.clientUrls(), false));
            case RelistMember(long t, MemberId id, String url) ->
                members.computeIfPresent(
                        id, (k, m) -> new ListedMember(id, m.name(), List.of(url), m.clientUrls(), m.learner()));
            case Publish(long t, MemberId id, String name, String url) ->
                members.computeIfPresent(
                        id, (k, m) -> new ListedMember(id, name, m.peerUrls(), List.of(url), m.learner()));
            case Write(long t, int value) -> {
                writes.add(value);
                revision++;
            }
            case Nothing nothing -> {}
        }
    }

    /** @return false if that would undo what was agreed on: a member panics then */
    boolean follow(MemberData leader) {
        if (leader.log.size() < committed) {
            return false;
        }
        for (int i = 0; i < committed; i++) {
            Entry ours = log.get(i);
            Entry theirs = leader.log.get(i);
            if (ours != theirs && !ours.equals(theirs)) {
                return false;
            }
        }
        log = new ArrayList<>(leader.log);
        commit(leader.committed);
        term = leader.term;
        return true;
    }

    /** Of the whole log, agreed on or not, as somebody finds who reads the disk. */
    public Set<MemberId> everyVoter() {
        Set<MemberId> voters = new TreeSet<>(Comparator.comparing(MemberId::toString));
        for (Entry entry : log) {
            switch (entry) {
                case AddMember(long t, MemberId id, String name, String url, boolean learner) -> {
                    if (!learner) {
                        voters.add(id);
                    }
                }
                case PromoteMember(long t, MemberId id) -> voters.add(id);
                case RemoveMember(long t, MemberId id) -> voters.remove(id);
                case RelistMember relisted -> {}
                case Publish published -> {}
                case Write write -> {}
                case Nothing nothing -> {}
            }
        }
        return voters;
    }

    /** Of the whole log, agreed on or not: whoever goes on from this disk alone takes all of it. */
    public List<Integer> everyWrite() {
        return log.stream()
                .filter(Write.class::isInstance)
                .map(entry -> ((Write) entry).value())
                .toList();
    }

    public List<ListedMember> members() {
        return List.copyOf(members.values());
    }

    Optional<ListedMember> member(MemberId id) {
        return Optional.ofNullable(members.get(id));
    }

    /** As etcd counts: 1 before the first write. */
    public long revision() {
        return revision;
    }

    long hash(long upTo) {
        return log.stream()
                .limit(committed)
                .filter(Write.class::isInstance)
                .limit(upTo - 1)
                .map(entry -> ((Write) entry).value())
                .toList()
                .hashCode();
    }

    public boolean lists(MemberId id) {
        return members.containsKey(id);
    }

    public boolean isVoter(MemberId id) {
        ListedMember member = members.get(id);
        return member != null && !member.learner();
    }

    public List<ListedMember> voters() {
        return members.values().stream().filter(member -> !member.learner()).toList();
    }

    public Quorum quorum() {
        return new Quorum((int)
                members.values().stream().filter(member -> !member.learner()).count());
    }

    /** Ids never come back. */
    boolean hasRemoved(MemberId id) {
        return removed.contains(id);
    }

    boolean hasPublished(MemberId id) {
        ListedMember member = members.get(id);
        return member != null && !member.clientUrls().isEmpty();
    }

    public Set<Integer> writes() {
        return writes;
    }
}
