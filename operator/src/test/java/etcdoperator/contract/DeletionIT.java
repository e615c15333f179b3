package etcdoperator.contract;

class DeletionIT extends DeletionContract {
    @Override
    protected KubeStage open() {
        return new ApiServerStage();
    }
}
