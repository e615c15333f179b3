package etcdoperator.agent.disk;

import com.google.protobuf.InvalidProtocolBufferException;
import etcdoperator.agent.disk.proto.RaftConfChange;
import etcdoperator.agent.disk.proto.RaftConfState;
import etcdoperator.agent.disk.proto.RaftEntry;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;

/** Who votes and who follows without a vote, by a snapshot and the entries after it. */
final class RaftMembers {
    /** The kind of an entry that changes no members. */
    static final int REQUEST = 0;

    private static final int CHANGE = 1;
    private static final int ADD = 0;
    private static final int REMOVE = 1;
    private static final int ADD_LEARNER = 3;

    private final RaftConfState before;
    private final TreeMap<Long, RaftConfChange> changes = new TreeMap<>();

    RaftMembers(RaftConfState before) {
        this.before = before;
    }

    /** One that comes with an index that was there before takes the place of that one and of all behind it. */
    void take(RaftEntry entry) throws InvalidProtocolBufferException {
        changes.tailMap(entry.getIndex(), true).clear();
        if (entry.getType() == CHANGE) {
            changes.put(entry.getIndex(), RaftConfChange.parseFrom(entry.getData()));
        }
    }

    boolean isVoter(long member) {
        return voters().contains(member);
    }

    /** Who votes beside this one. */
    int others(long member) {
        Set<Long> voters = voters();
        voters.remove(member);
        return voters.size();
    }

    boolean isLearner(long member) {
        Set<Long> learners = new HashSet<>(before.getLearnersList());
        for (RaftConfChange change : changes.values()) {
            switch ((int) change.getType()) {
                case ADD, REMOVE -> learners.remove(change.getNodeId());
                case ADD_LEARNER -> learners.add(change.getNodeId());
                default -> {}
            }
        }
        return learners.contains(member);
    }

    Set<Long> voters() {
        Set<Long> voters = new HashSet<>(before.getVotersList());
        for (RaftConfChange change : changes.values()) {
            switch ((int) change.getType()) {
                case ADD -> voters.add(change.getNodeId());
                case REMOVE, ADD_LEARNER -> voters.remove(change.getNodeId());
                default -> {}
            }
        }
        return voters;
    }
}
