package io.improbable.etcd.contract;

class FakeMembershipTest extends MembershipContract {
    @Override
    EtcdStage open() {
        return new FakeEtcdTest.FakeStage();
    }
}
