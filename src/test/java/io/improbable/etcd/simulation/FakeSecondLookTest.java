package io.improbable.etcd.simulation;

import io.improbable.etcd.contract.KubeStage;
import io.improbable.etcd.contract.SecondLookContract;

class FakeSecondLookTest extends SecondLookContract {
    @Override
    protected KubeStage open() {
        return FakeKubeStage.open();
    }
}
