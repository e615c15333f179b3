package etcdoperator.contract.etcd;

import etcdoperator.etcd.MetricsReading;
import etcdoperator.simulation.etcd.StartFlags;
import java.util.Optional;

class FakeEtcdFaultsTest extends EtcdFaultsContract {
    private FakeEtcdTest.FakeStage fake;

    @Override
    EtcdStage open() {
        fake = new FakeEtcdTest.FakeStage();
        return fake;
    }

    @Override
    void joinersAreSentSnapshots() {
        fake.etcd().stallNextJoin();
    }

    @Override
    void outgrowTheLog() {}

    @Override
    boolean refusesItsPublication() {
        return true;
    }

    @Override
    void startUnheard(StartFlags flags) {
        stage.start(flags);
    }

    @Override
    Optional<MetricsReading> metrics(String name) {
        return fake.metrics(name);
    }

    @Override
    void failLate(String leader, String voter) {
        fake.process(leader).mistake(fake.process(voter));
    }

    @Override
    String lastWords(String name) {
        return fake.process(name).lastWords().orElse("");
    }
}
