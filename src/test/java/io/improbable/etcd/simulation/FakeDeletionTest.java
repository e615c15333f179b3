package io.improbable.etcd.simulation;

import io.improbable.etcd.contract.DeletionContract;
import io.improbable.etcd.contract.KubeStage;

class FakeDeletionTest extends DeletionContract {
    @Override
    protected KubeStage open() {
        return FakeKubeStage.open();
    }
}
