package etcdoperator.simulation.world;

import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.Probes;
import etcdoperator.kube.Kube;
import etcdoperator.kube.KubeCache;
import etcdoperator.kube.RestoreCache;

/** A mistake put between the operator and the world, to see whether the simulation finds it. */
public interface Sabotage {
    Sabotage NONE = new Sabotage() {};

    default Kube kube(Kube honest, World world) {
        return honest;
    }

    default Probes probes(Probes honest) {
        return honest;
    }

    default EtcdClient etcd(EtcdClient honest) {
        return honest;
    }

    default KubeCache cache(KubeCache honest) {
        return honest;
    }

    default RestoreCache restores(RestoreCache honest) {
        return honest;
    }
}
