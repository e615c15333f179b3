package etcdoperator.kube;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.backup.EtcdBackup;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All that the caches hold of one cluster.
 *
 * @param support services, disruption budgets and network policies
 * @param secrets those that the operator made for it, and those that its spec names
 * @param backups every EtcdBackup that names it
 * @param recoveries EtcdRestores that the operator made to bring it back after a majority was lost
 * @param volumeWarnings what Kubernetes last complained of about claims, and about pods that wait for their volumes
 * @param nodesUp every node that Kubernetes hears of
 * @param nodeAddresses names and addresses of nodes, where clients reach the cluster by them
 * @param lostVolumes claims whose volumes only nodes had that are gone, and why
 */
public record ClusterObjects(
        EtcdCluster cluster,
        List<EtcdPeer> peers,
        List<PersistentVolumeClaim> claims,
        List<ReplicaSet> replicaSets,
        List<Pod> pods,
        List<HasMetadata> support,
        List<Secret> secrets,
        List<EtcdBackup> backups,
        List<EtcdRestore> recoveries,
        List<Event> volumeWarnings,
        Set<String> nodesUp,
        Set<String> nodeAddresses,
        Map<String, String> lostVolumes) {
    public static <T extends HasMetadata> Optional<T> find(List<T> objects, String name) {
        return objects.stream()
                .filter(object -> object.getMetadata().getName().equals(name))
                .findFirst();
    }
}
