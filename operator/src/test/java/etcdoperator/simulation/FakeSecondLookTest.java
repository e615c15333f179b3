package etcdoperator.simulation;

import etcdoperator.contract.KubeStage;
import etcdoperator.contract.SecondLookContract;

class FakeSecondLookTest extends SecondLookContract {
    @Override
    protected KubeStage open() {
        return FakeKubeStage.open();
    }
}
