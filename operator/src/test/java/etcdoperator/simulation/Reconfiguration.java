package etcdoperator.simulation;

import etcdoperator.domain.MemberId;
import etcdoperator.etcd.EtcdClient.ListedMember;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What etcd asks itself before it changes who is a member, in its own words. */
final class Reconfiguration {
    /** Real etcd wants five seconds; here time is counted in words from the leader. */
    private static final int LONG_ENOUGH = 6;

    private final FakeEtcd etcd;
    private final EtcdProcess leader;
    private final MemberData data;

    Reconfiguration(FakeEtcd etcd, EtcdProcess leader) {
        this.etcd = etcd;
        this.leader = leader;
        this.data = leader.data();
    }

    MemberId add(String peerUrl, boolean learner) throws EtcdException {
        if (!learner && !enoughStarted(data.voters().size() + 1, started(data.voters()))) {
            throw refused(Kind.NOT_YET, "member add", "re-configuration failed due to not enough started members");
        }
        if (data.voters().stream().anyMatch(voter -> !isConnected(voter, LONG_ENOUGH))) {
            throw refused(Kind.NOT_YET, "member add", "unhealthy cluster");
        }
        if (data.members().stream().anyMatch(member -> member.peerUrls().contains(peerUrl))) {
            throw refused(Kind.REFUSED, "member add", "Peer URLs already exists");
        }
        if (learner && data.members().stream().anyMatch(ListedMember::learner)) {
            throw refused(Kind.NOT_YET, "member add", "too many learner members in cluster");
        }
        MemberId id = freshId(peerUrl);
        change("member add", new Entry.AddMember(data.term(), id, "", peerUrl, learner));
        return id;
    }

    /** etcd makes it of the URL and the time. */
    private MemberId freshId(String peerUrl) {
        String seed = peerUrl + "@" + data.clusterId() + "@" + data.term() + "@" + data.lastIndex();
        return new MemberId(
                UUID.nameUUIDFromBytes(seed.getBytes(StandardCharsets.UTF_8)).getMostSignificantBits());
    }

    void remove(MemberId id) throws EtcdException {
        ListedMember member = listed("member remove", id);
        if (!member.learner()) {
            protectQuorum(member);
        }
        change("member remove", new Entry.RemoveMember(data.term(), id));
    }

    private void protectQuorum(ListedMember leaver) throws EtcdException {
        List<ListedMember> voters = data.voters();
        List<ListedMember> others =
                voters.stream().filter(voter -> !voter.equals(leaver)).toList();
        if (started(others) < others.size() / 2 + 1) {
            throw refused(Kind.NOT_YET, "member remove", "re-configuration failed due to not enough started members");
        }
        if (!isConnected(leaver, 0)) {
            return;
        }
        long active =
                voters.stream().filter(voter -> isConnected(voter, LONG_ENOUGH)).count();
        if (active - 1 < 1 + (voters.size() - 1) / 2) {
            throw refused(Kind.NOT_YET, "member remove", "unhealthy cluster");
        }
    }

    void promote(MemberId id) throws EtcdException {
        ListedMember member = listed("member promote", id);
        if (!member.learner()) {
            throw refused(Kind.REFUSED, "member promote", "can only promote a learner member");
        }
        if (etcd.matched(leader, id) * 10 < data.lastIndex() * 9) {
            throw refused(
                    Kind.NOT_YET, "member promote", "can only promote a learner member which is in sync with leader");
        }
        if (!enoughStarted(data.voters().size() + 1, started(data.voters()) + 1)) {
            throw refused(Kind.NOT_YET, "member promote", "re-configuration failed due to not enough started members");
        }
        change("member promote", new Entry.PromoteMember(data.term(), id));
    }

    void relist(MemberId id, String peerUrl) throws EtcdException {
        ListedMember member = listed("member update", id);
        change("member update", new Entry.RelistMember(data.term(), member.id(), peerUrl));
    }

    void moveLeader(MemberId to) throws EtcdException {
        Optional<EtcdProcess> target = process(to).filter(process -> data.isVoter(to));
        if (target.isEmpty() || !etcd.handOver(leader, target.get())) {
            throw refused(Kind.NOT_YET, "move leader", "bad leader transferee");
        }
    }

    private void change(String what, Entry entry) throws EtcdException {
        if (!etcd.change(leader, entry)) {
            throw new EtcdException(Kind.NO_ANSWER, what + ": no answer in time");
        }
    }

    private ListedMember listed(String what, MemberId id) throws EtcdException {
        return data.member(id).orElseThrow(() -> refused(Kind.REFUSED, what, "member not found"));
    }

    private boolean isConnected(ListedMember member, int time) {
        return member.id().equals(data.self())
                || process(member.id())
                        .filter(process -> process.connectedFor() >= time)
                        .isPresent();
    }

    private Optional<EtcdProcess> process(MemberId id) {
        return etcd.group(leader).stream()
                .filter(process -> process.data().self().equals(id))
                .findFirst();
    }

    private static int started(List<ListedMember> members) {
        return (int) members.stream().filter(member -> !member.name().isEmpty()).count();
    }

    /** A cluster of one may always grow. */
    private static boolean enoughStarted(int members, int started) {
        return (members == 2 && started == 1) || started >= members / 2 + 1;
    }

    private static EtcdException refused(Kind kind, String what, String why) {
        return new EtcdException(kind, what + ": FAILED_PRECONDITION etcdserver: " + why);
    }
}
