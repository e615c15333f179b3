package etcdoperator.agent.disk;

import java.util.Comparator;

/** How far a log goes: of two, the later term is further, and of one term the higher index, as in etcd's elections. */
public record RaftPosition(long term, long index) implements Comparable<RaftPosition> {
    static final RaftPosition NOWHERE = new RaftPosition(0, 0);

    private static final Comparator<RaftPosition> ORDER =
            Comparator.comparingLong(RaftPosition::term).thenComparingLong(RaftPosition::index);

    @Override
    public int compareTo(RaftPosition other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return "term " + term + " index " + index;
    }
}
