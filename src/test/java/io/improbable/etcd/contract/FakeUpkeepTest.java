package io.improbable.etcd.contract;

class FakeUpkeepTest extends UpkeepContract {
    @Override
    EtcdStage open() {
        return new FakeEtcdTest.FakeStage();
    }
}
