package io.improbable.etcd.simulation;

import io.improbable.etcd.domain.ClusterId;
import io.improbable.etcd.domain.MemberId;
import io.improbable.etcd.etcd.EtcdClient.ListedMember;
import io.improbable.etcd.simulation.Entry.AddMember;
import io.improbable.etcd.simulation.Entry.Publish;
import io.improbable.etcd.simulation.Entry.Write;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a member keeps on its disk. */
public final class MemberData {
    private final ClusterId clusterId;
    private final MemberId self;
    private List<Entry> log = new ArrayList<>();
    private int committed;
    private long term = 1;

    private MemberData(ClusterId clusterId, MemberId self) {
        this.clusterId = clusterId;
        this.self = self;
    }

    /** A founder writes the same first entries as every other founder, and takes them for agreed on. */
    static MemberData founder(StartFlags flags) {
        var data = new MemberData(flags.clusterId(), flags.memberId(flags.peerUrl()));
        flags.initialCluster().forEach((name, url) -> data.log.add(new AddMember(1, flags.memberId(url), name, url)));
        data.committed = data.log.size();
        return data;
    }

    public ClusterId clusterId() {
        return clusterId;
    }

    public MemberId self() {
        return self;
    }

    long term() {
        return term;
    }

    void setTerm(long newTerm) {
        term = newTerm;
    }

    int committed() {
        return committed;
    }

    int lastIndex() {
        return log.size();
    }

    long lastTerm() {
        return log.getLast().term();
    }

    void append(Entry entry) {
        log.add(entry);
    }

    void commitAll() {
        committed = log.size();
    }

    /** @return false if that would undo what was agreed on: a member panics then */
    boolean follow(MemberData leader) {
        for (int i = 0; i < committed; i++) {
            if (i >= leader.log.size() || !leader.log.get(i).equals(log.get(i))) {
                return false;
            }
        }
        log = new ArrayList<>(leader.log);
        committed = Math.max(committed, leader.committed);
        term = leader.term;
        return true;
    }

    List<ListedMember> members() {
        Set<MemberId> published = published();
        List<ListedMember> members = new ArrayList<>();
        for (Entry entry : log.subList(0, committed)) {
            if (entry instanceof AddMember added) {
                List<String> clientUrls =
                        published.contains(added.id()) ? List.of("http://" + added.name()) : List.of();
                members.add(new ListedMember(added.id(), added.name(), List.of(added.peerUrl()), clientUrls, false));
            }
        }
        return members;
    }

    int voters() {
        return (int) log.stream().filter(AddMember.class::isInstance).count();
    }

    Set<MemberId> published() {
        Set<MemberId> published = new HashSet<>();
        for (Entry entry : log) {
            if (entry instanceof Publish publish) {
                published.add(publish.id());
            }
        }
        return published;
    }

    Set<Integer> writes() {
        Set<Integer> writes = new HashSet<>();
        for (Entry entry : log.subList(0, committed)) {
            if (entry instanceof Write write) {
                writes.add(write.value());
            }
        }
        return writes;
    }
}
