package etcdoperator.contract;

class FakeUsersTest extends UsersContract {
    @Override
    EtcdStage open() {
        return new FakeEtcdTest.FakeStage();
    }
}
