package etcdoperator.contract.etcd;

class FakeMembershipTest extends MembershipContract {
    @Override
    EtcdStage open() {
        return new FakeEtcdTest.FakeStage();
    }
}
