package etcdoperator.contract.etcd;

class FakeAuthTest extends AuthContract {
    @Override
    EtcdStage open() {
        return new FakeEtcdTest.FakeStage();
    }
}
