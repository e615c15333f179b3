package etcdoperator.simulation.world;

import etcdoperator.contract.kube.KubeStage;
import etcdoperator.contract.kube.SecondLookContract;

class FakeSecondLookTest extends SecondLookContract {
    @Override
    protected KubeStage open() {
        return FakeKubeStage.open();
    }
}
