package etcdoperator.contract.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.etcd.Credentials;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.MetricsReading;
import etcdoperator.simulation.etcd.EtcdProcess;
import etcdoperator.simulation.etcd.FakeEtcd;
import etcdoperator.simulation.etcd.FakeEtcdClient;
import etcdoperator.simulation.etcd.StartFlags;
import etcdoperator.simulation.etcd.Volume;
import etcdoperator.simulation.replay.Dice;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

class FakeEtcdTest extends EtcdContract {
    @Override
    EtcdStage open() {
        return new FakeStage();
    }

    static final class FakeStage implements EtcdStage {
        private static final int TICKS = 200;

        private final Dice dice = new Dice(1);
        private final FakeEtcd etcd = new FakeEtcd((one, other) -> true, dice);
        private final Map<String, Volume> disks = new HashMap<>();
        private final Map<String, EtcdProcess> processes = new HashMap<>();

        FakeStage() {
            PLACES.forEach(name -> disks.put(name, new Volume(name)));
        }

        FakeEtcd etcd() {
            return etcd;
        }

        EtcdProcess process(String name) {
            return processes.get(name);
        }

        Optional<MetricsReading> metrics(String name) {
            return Optional.of(processes.get(name))
                    .filter(EtcdProcess::isRunning)
                    .map(process -> FakeEtcd.metrics(etcd, process));
        }

        @Override
        public StartFlags flags(String name, List<String> initialCluster, String state, String token) {
            Map<String, String> urls = new TreeMap<>();
            initialCluster.forEach(member -> urls.put(member, peerUrl(member)));
            return new StartFlags(name, peerUrl(name), "http://" + name + ":2379", urls, state, token);
        }

        @Override
        public String peerUrl(String name) {
            return "http://" + name + ":2380";
        }

        @Override
        public void start(StartFlags flags) {
            processes.put(flags.name(), etcd.start(flags, disks.get(flags.name()), "node"));
        }

        @Override
        public void kill(String name) {
            processes.get(name).kill();
        }

        @Override
        public void emptyDisk(String name) {
            disks.get(name).empty();
        }

        @Override
        public boolean isRunning(String name) {
            return processes.get(name).isRunning();
        }

        @Override
        public EtcdClient client(String name) {
            return new FakeEtcdClient(etcd, () -> Optional.ofNullable(processes.get(name)));
        }

        @Override
        public EtcdClient client(String name, Credentials credentials) {
            return new FakeEtcdClient(etcd, () -> Optional.ofNullable(processes.get(name)), Optional.of(credentials));
        }

        @Override
        public boolean write(String name, int value) {
            var cluster = disks.get(name).data().orElseThrow().clusterId();
            // Some answers get lost, even in good times.
            return IntStream.range(0, 10).anyMatch(attempt -> etcd.write(cluster, value));
        }

        @Override
        public Optional<Set<Integer>> read(String name) {
            return etcd.read(disks.get(name).data().orElseThrow().clusterId());
        }

        @Override
        public void eventually(String what, BooleanSupplier condition) {
            boolean holds = condition.getAsBoolean();
            for (int i = 0; i < TICKS && !holds; i++) {
                etcd.tick();
                holds = condition.getAsBoolean();
            }
            assertThat(holds).as(what).isTrue();
        }

        @Override
        public void aWhile() {
            for (int i = 0; i < TICKS; i++) {
                etcd.tick();
            }
        }

        @Override
        public void close() {}
    }
}
