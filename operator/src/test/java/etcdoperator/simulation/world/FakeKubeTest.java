package etcdoperator.simulation.world;

import etcdoperator.contract.kube.KubeContract;
import etcdoperator.contract.kube.KubeStage;

class FakeKubeTest extends KubeContract {
    @Override
    protected KubeStage open() {
        return FakeKubeStage.open();
    }
}
