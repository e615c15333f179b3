package etcdoperator.simulation.world;

import etcdoperator.contract.kube.DeletionContract;
import etcdoperator.contract.kube.KubeStage;

class FakeDeletionTest extends DeletionContract {
    @Override
    protected KubeStage open() {
        return FakeKubeStage.open();
    }
}
