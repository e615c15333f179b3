package etcdoperator.simulation;

import etcdoperator.contract.DeletionContract;
import etcdoperator.contract.KubeStage;

class FakeDeletionTest extends DeletionContract {
    @Override
    protected KubeStage open() {
        return FakeKubeStage.open();
    }
}
