package etcdoperator.contract.etcd;

class FakeUpkeepTest extends UpkeepContract {
    @Override
    EtcdStage open() {
        return new FakeEtcdTest.FakeStage();
    }
}
