package etcdoperator.contract;

class FakeMembershipTest extends MembershipContract {
    @Override
    EtcdStage open() {
        return new FakeEtcdTest.FakeStage();
    }
}
