package etcdoperator.kube;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.TlsSpec;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes down what it is asked to do, and refuses or finds stale what a test tells it to. */
public final class RecordingKube implements Kube {
    private final List<String> calls = new ArrayList<>();
    private final List<Notice> told = new ArrayList<>();
    private final List<EtcdPeer> peers = new ArrayList<>();
    private final List<HasMetadata> applied = new ArrayList<>();
    private Optional<String> refused = Optional.empty();
    private Optional<String> stale = Optional.empty();
    private Optional<EtcdClusterStatus> status = Optional.empty();

    /** @param call as {@link #calls()} would show it */
    public void refuses(String call) {
        refused = Optional.of(call);
    }

    public void findsStale(String call) {
        stale = Optional.of(call);
    }

    public List<String> calls() {
        return calls;
    }

    public List<Notice> told() {
        return told;
    }

    public List<HasMetadata> applied() {
        return applied;
    }

    /** Those whose status was replaced. */
    public List<EtcdPeer> peers() {
        return peers;
    }

    /** As it was last replaced. */
    public Optional<EtcdClusterStatus> clusterStatus() {
        return status;
    }

    @Override
    public void create(HasMetadata object) throws StaleViewException, RefusedException {
        record("create", object);
    }

    @Override
    public void apply(HasMetadata object) throws StaleViewException, RefusedException {
        record("apply", object);
        applied.add(object);
    }

    @Override
    public void replace(Secret secret) throws StaleViewException, RefusedException {
        record("replace", secret);
    }

    @Override
    public void record(EtcdCluster cluster, TlsSpec tls) throws StaleViewException, RefusedException {
        record("tls of", cluster);
    }

    @Override
    public void replace(EtcdPeer peer) throws StaleViewException, RefusedException {
        record("replace", peer);
    }

    @Override
    public void annotate(HasMetadata object, Map<String, String> annotations)
            throws StaleViewException, RefusedException {
        record("annotate", object);
    }

    @Override
    public void mark(PersistentVolumeClaim claim, ClaimMark mark) throws StaleViewException, RefusedException {
        record("mark", claim);
    }

    @Override
    public void label(HasMetadata object, Map<String, String> labels) throws StaleViewException, RefusedException {
        record("label", object);
    }

    @Override
    public void resize(PersistentVolumeClaim claim, Quantity storage) throws StaleViewException, RefusedException {
        record("resize", claim);
    }

    @Override
    public void delete(HasMetadata object) throws StaleViewException, RefusedException {
        record("delete", object);
    }

    @Override
    public EtcdCluster replaceStatus(EtcdCluster cluster) throws StaleViewException, RefusedException {
        record("status", cluster);
        status = Optional.ofNullable(cluster.getStatus());
        return cluster;
    }

    @Override
    public void replaceStatus(EtcdPeer peer) throws StaleViewException, RefusedException {
        record("status", peer);
        peers.add(peer);
    }

    @Override
    public <T extends CustomResource<?, ?>> T replaceStatus(T object) throws StaleViewException, RefusedException {
        record("status", object);
        return object;
    }

    @Override
    public void bind(HasMetadata object, List<String> finalizers, List<OwnerReference> owners)
            throws StaleViewException, RefusedException {
        record("bind", object);
    }

    @Override
    public void requireAsSeen(ClusterObjects seen) throws StaleViewException {
        String call = "look again at " + seen.cluster().getMetadata().getName();
        calls.add(call);
        if (stale.equals(Optional.of(call))) {
            throw new StaleViewException(call);
        }
    }

    @Override
    public void tell(HasMetadata about, Notice notice) {
        told.add(notice);
    }

    private void record(String verb, HasMetadata object) throws StaleViewException, RefusedException {
        String call = verb + " " + object.getKind() + " " + object.getMetadata().getName();
        calls.add(call);
        if (refused.equals(Optional.of(call))) {
            throw new RefusedException("The API server refuses " + call);
        }
        if (stale.equals(Optional.of(call))) {
            throw new StaleViewException(call);
        }
    }
}
