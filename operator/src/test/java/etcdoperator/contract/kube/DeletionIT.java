package etcdoperator.contract.kube;

class DeletionIT extends DeletionContract {
    @Override
    protected KubeStage open() {
        return new ApiServerStage();
    }
}
