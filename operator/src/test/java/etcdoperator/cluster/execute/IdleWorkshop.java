package etcdoperator.cluster.execute;

import etcdoperator.cluster.step.Chore;
import etcdoperator.cluster.view.Chores;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.MemberId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Remembers what it was asked to do, and does nothing. */
public final class IdleWorkshop implements Workshop {
    private final List<Chore> begun = new ArrayList<>();

    List<Chore> begun() {
        return begun;
    }

    @Override
    public void begin(ClusterKey cluster, Chore chore, Map<MemberId, Contact> members) {
        begun.add(chore);
    }

    @Override
    public Chores done(ClusterKey cluster) {
        return Chores.none(Instant.EPOCH);
    }

    @Override
    public void forget(ClusterKey cluster) {}
}
