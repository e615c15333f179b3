package etcdoperator.simulation;

import etcdoperator.contract.KubeContract;
import etcdoperator.contract.KubeStage;

class FakeKubeTest extends KubeContract {
    @Override
    protected KubeStage open() {
        return FakeKubeStage.open();
    }
}
