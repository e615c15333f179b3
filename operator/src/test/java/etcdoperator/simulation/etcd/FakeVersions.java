package etcdoperator.simulation.etcd;

import etcdoperator.domain.ClusterId;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What etcd's members agree on about versions, and which binaries run on which data. */
final class FakeVersions {
    private final Map<ClusterId, Integer> agreed = new HashMap<>();
    private final Map<ClusterId, Integer> downgrades = new HashMap<>();

    /** Why a binary does not run on this data, if it does not. */
    Optional<String> refusal(EtcdProcess process) {
        MemberData data = process.data();
        int minor = process.minor();
        int cluster = agreed.getOrDefault(data.clusterId(), minor);
        if (minor < data.storage()) {
            return Optional.of("invalid downgrade; server version is lower than determined storage version");
        }
        if (data.oldestEntry() < minor - 1) {
            return Optional.of("unmarshal should never fail");
        }
        if (minor < cluster && !downgradeOf(data.clusterId()).equals(Optional.of(minor))) {
            return Optional.of("invalid downgrade; server version is lower than determined cluster version");
        }
        return minor > cluster + 1 ? Optional.of("the cluster version is too old for this server") : Optional.empty();
    }

    Optional<Integer> downgradeOf(ClusterId cluster) {
        return Optional.ofNullable(downgrades.get(cluster));
    }

    /** The leader looks at what everybody runs. */
    void tick(EtcdProcess leader, List<EtcdProcess> group) {
        ClusterId id = leader.data().clusterId();
        group.forEach(process -> process.data().writtenBy(process.minor()));
        boolean everybody = leader.data().members().stream()
                .allMatch(member ->
                        group.stream().anyMatch(process -> process.data().self().equals(member.id())));
        Optional<Integer> downgrade = downgradeOf(id);
        if (downgrade.isPresent()) {
            agreed.put(id, downgrade.get());
            group.forEach(process -> process.data().storeFor(downgrade.get()));
            if (everybody && group.stream().allMatch(process -> process.minor() == downgrade.get())) {
                downgrades.remove(id);
            }
        } else if (everybody) {
            int lowest = group.stream().mapToInt(EtcdProcess::minor).min().orElseThrow();
            agreed.merge(id, lowest, Math::max);
            group.forEach(process -> process.data().storeFor(agreed.get(id)));
        }
    }

    void enableDowngrade(ClusterId cluster, int minor) throws EtcdException {
        if (downgradeOf(cluster).equals(Optional.of(minor))) {
            return;
        }
        if (agreed.getOrDefault(cluster, 0) != minor + 1) {
            throw new EtcdException(
                    Kind.NOT_YET, "downgrade: INVALID_ARGUMENT etcdserver: invalid downgrade target version");
        }
        downgrades.put(cluster, minor);
    }

    void cancelDowngrade(ClusterId cluster) {
        downgrades.remove(cluster);
    }
}
