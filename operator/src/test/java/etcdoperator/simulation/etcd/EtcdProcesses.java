package etcdoperator.simulation.etcd;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/** Every etcd that was started and has not been found to have ended, and who of them reaches whom. */
final class EtcdProcesses {
    private final List<EtcdProcess> processes = new ArrayList<>();
    private final BiPredicate<EtcdProcess, EtcdProcess> network;

    EtcdProcesses(BiPredicate<EtcdProcess, EtcdProcess> network) {
        this.network = network;
    }

    void add(EtcdProcess process) {
        processes.add(process);
    }

    void forgetThoseThatEnded() {
        processes.removeIf(process -> !process.isRunning());
    }

    /** Those among them, too, that have ended a moment ago. */
    List<EtcdProcess> all() {
        return List.copyOf(processes);
    }

    /** Every process of the same cluster that this one reaches, itself among them. */
    List<EtcdProcess> group(EtcdProcess process) {
        return processes.stream()
                .filter(other -> other.isRunning() && isOfSameCluster(other, process) && reach(process, other))
                .toList();
    }

    /** The others it was told of, as far as they run and it reaches them. */
    List<EtcdProcess> peers(EtcdProcess process) {
        StartFlags flags = process.flags();
        return processes.stream()
                .filter(other -> !other.flags().peerUrl().equals(flags.peerUrl()))
                .filter(other ->
                        flags.initialCluster().containsValue(other.flags().peerUrl()))
                .filter(other -> reach(process, other))
                .toList();
    }

    static boolean isOfSameCluster(EtcdProcess one, EtcdProcess other) {
        return one.data().clusterId().equals(other.data().clusterId());
    }

    boolean reach(EtcdProcess one, EtcdProcess other) {
        return one == other || (other.isRunning() && network.test(one, other));
    }
}
