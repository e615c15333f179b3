package etcdoperator.contract.etcd;

class FakeUsersTest extends UsersContract {
    @Override
    EtcdStage open() {
        return new FakeEtcdTest.FakeStage();
    }
}
