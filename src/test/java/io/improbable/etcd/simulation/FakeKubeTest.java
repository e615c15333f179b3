package io.improbable.etcd.simulation;

import io.improbable.etcd.contract.KubeContract;
import io.improbable.etcd.contract.KubeStage;

class FakeKubeTest extends KubeContract {
    @Override
    protected KubeStage open() {
        return FakeKubeStage.open();
    }
}
