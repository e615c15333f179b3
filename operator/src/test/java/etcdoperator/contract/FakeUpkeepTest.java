package etcdoperator.contract;

class FakeUpkeepTest extends UpkeepContract {
    @Override
    EtcdStage open() {
        return new FakeEtcdTest.FakeStage();
    }
}
