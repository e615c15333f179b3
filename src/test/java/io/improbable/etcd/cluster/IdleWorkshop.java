package io.improbable.etcd.cluster;

import io.improbable.etcd.domain.ClusterKey;
import io.improbable.etcd.domain.MemberId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Remembers what it was asked to do, and does nothing. */
final class IdleWorkshop implements Workshop {
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
