package etcdoperator.contract.kube;

/** A real API server, given by KUBECONFIG. No EtcdCluster is made there, so an operator that runs has nothing to do. */
class FabricKubeIT extends KubeContract {
    @Override
    protected KubeStage open() {
        return new ApiServerStage();
    }
}
