package io.improbable.etcd.contract;

class DeletionIT extends DeletionContract {
    @Override
    protected KubeStage open() {
        return new ApiServerStage();
    }
}
