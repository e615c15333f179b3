package etcdoperator.contract;

class FakeAuthTest extends AuthContract {
    @Override
    EtcdStage open() {
        return new FakeEtcdTest.FakeStage();
    }
}
