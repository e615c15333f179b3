package etcdoperator.simulation.rules;

import etcdoperator.simulation.etcd.EtcdProcess;
import etcdoperator.simulation.world.World;
import java.util.List;

/** Whether members that could form a quorum are kept from it by how they speak. */
final class TlsRules {
    private final World world;
    private final Rules rules;

    TlsRules(World world, Rules rules) {
        this.world = world;
        this.rules = rules;
    }

    void check() {
        List<EtcdProcess> running = world.etcd().running();
        running.stream().map(process -> process.data().clusterId()).distinct().forEach(id -> {
            List<EtcdProcess> members = running.stream()
                    .filter(process -> process.data().clusterId().equals(id))
                    .toList();
            boolean possible = members.stream().anyMatch(one -> isQuorum(one, wired(one, members)));
            boolean real =
                    members.stream().anyMatch(one -> isQuorum(one, world.etcd().group(one)));
            if (possible && !real) {
                rules.broken(Invariant.TLS_COSTS_NO_QUORUM, "nobody of " + members + " reaches a quorum");
            }
        });
    }

    private List<EtcdProcess> wired(EtcdProcess one, List<EtcdProcess> members) {
        return members.stream()
                .filter(other -> world.network().isWired(one, other))
                .toList();
    }

    /** As this one knows the members. */
    private static boolean isQuorum(EtcdProcess one, List<EtcdProcess> group) {
        return one.data().isVoter(one.data().self())
                && one.data().quorum().metBy((int) group.stream()
                        .filter(other -> one.data().isVoter(other.data().self()))
                        .count());
    }
}
