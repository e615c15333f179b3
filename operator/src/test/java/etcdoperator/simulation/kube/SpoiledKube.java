package etcdoperator.simulation.kube;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.TlsSpec;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.Kube;
import etcdoperator.kube.Notice;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.List;
import java.util.Map;

/** Passes everything on; mistakes are made by overriding. */
public class SpoiledKube implements Kube {
    private final Kube honest;

    public SpoiledKube(Kube honest) {
        this.honest = honest;
    }

    @Override
    public void create(HasMetadata object) throws StaleViewException, RefusedException {
        honest.create(object);
    }

    @Override
    public void apply(HasMetadata object) throws StaleViewException, RefusedException {
        honest.apply(object);
    }

    @Override
    public void replace(Secret secret) throws StaleViewException, RefusedException {
        honest.replace(secret);
    }

    @Override
    public void record(EtcdCluster cluster, TlsSpec tls) throws StaleViewException, RefusedException {
        honest.record(cluster, tls);
    }

    @Override
    public void replace(EtcdPeer peer) throws StaleViewException, RefusedException {
        honest.replace(peer);
    }

    @Override
    public void annotate(HasMetadata object, Map<String, String> annotations)
            throws StaleViewException, RefusedException {
        honest.annotate(object, annotations);
    }

    @Override
    public void mark(PersistentVolumeClaim claim, ClaimMark mark) throws StaleViewException, RefusedException {
        honest.mark(claim, mark);
    }

    @Override
    public void label(HasMetadata object, Map<String, String> labels) throws StaleViewException, RefusedException {
        honest.label(object, labels);
    }

    @Override
    public void resize(PersistentVolumeClaim claim, Quantity storage) throws StaleViewException, RefusedException {
        honest.resize(claim, storage);
    }

    @Override
    public void delete(HasMetadata object) throws StaleViewException, RefusedException {
        honest.delete(object);
    }

    @Override
    public EtcdCluster replaceStatus(EtcdCluster cluster) throws StaleViewException, RefusedException {
        return honest.replaceStatus(cluster);
    }

    @Override
    public void replaceStatus(EtcdPeer peer) throws StaleViewException, RefusedException {
        honest.replaceStatus(peer);
    }

    @Override
    public <T extends CustomResource<?, ?>> T replaceStatus(T object) throws StaleViewException, RefusedException {
        return honest.replaceStatus(object);
    }

    @Override
    public void bind(HasMetadata object, List<String> finalizers, List<OwnerReference> owners)
            throws StaleViewException, RefusedException {
        honest.bind(object, finalizers, owners);
    }

    @Override
    public void requireAsSeen(ClusterObjects seen) throws StaleViewException {
        honest.requireAsSeen(seen);
    }

    @Override
    public void tell(HasMetadata about, Notice notice) {
        honest.tell(about, notice);
    }
}
