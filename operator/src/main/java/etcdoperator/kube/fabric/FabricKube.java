package etcdoperator.kube.fabric;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.TlsSpec;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.certmanager.Certificate;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.Kube;
import etcdoperator.kube.KubeCache.PeerKey;
import etcdoperator.kube.Notice;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The real API server. */
final class FabricKube implements Kube {
    private static final String FIELD_MANAGER = "etcd-operator";
    private static final int UNPROCESSABLE = 422;
    /** In seconds. None at all would not wait for the node to say that the pod has ended. */
    private static final long HURRY = 1;

    private static final String NO_CERT_MANAGER =
            "The API server knows no Certificate of cert-manager's, which spec.tls asks for: install cert-manager, or have the operator make the certificates with managed: {}";

    private final KubernetesClient client;
    private final RecentWrites recent;
    private final EventWriter events;
    private final Consumer<PeerKey> peerMade;

    /** @param peerMade told of a new peer at once: the watch brings it too, but a little later */
    FabricKube(KubernetesClient client, RecentWrites recent, EventWriter events, Consumer<PeerKey> peerMade) {
        this.client = client;
        this.recent = recent;
        this.events = events;
        this.peerMade = peerMade;
    }

    @Override
    public void create(HasMetadata object) throws StaleViewException, RefusedException {
        if (Kube.isMadeOnce(object)) {
            try {
                write(object, () -> client.resource(object).create());
                if (object instanceof EtcdPeer peer) {
                    peerMade.accept(new PeerKey(
                            peer.getMetadata().getNamespace(),
                            peer.getMetadata().getName()));
                }
            } catch (StaleViewException e) {
                // Who makes one of these has its own rules for one that is there, and will see it.
                if (!(object instanceof EtcdCluster || object instanceof EtcdRestore)) {
                    refuseNamesake(object);
                }
                throw e;
            }
        } else {
            // Made by apply, so that a field which is no longer asked for goes away with a later apply. A namesake of
            // a ReplicaSet need not be looked for: its selector differs, and the API server lets nobody change that.
            if (!(object instanceof ReplicaSet)) {
                refuseNamesake(object);
            }
            apply(object);
        }
    }

    @Override
    public void apply(HasMetadata object) throws StaleViewException, RefusedException {
        write(
                object,
                () -> client.resource(object)
                        .fieldManager(FIELD_MANAGER)
                        .forceConflicts()
                        .serverSideApply());
    }

    @Override
    public void replace(Secret secret) throws StaleViewException, RefusedException {
        write(secret, () -> client.resource(secret).update());
    }

    @Override
    public void record(EtcdCluster cluster, TlsSpec tls) throws StaleViewException, RefusedException {
        patch(
                cluster,
                Map.of(
                        "metadata",
                        Map.of(
                                "uid",
                                cluster.getMetadata().getUid(),
                                "resourceVersion",
                                cluster.getMetadata().getResourceVersion()),
                        "spec",
                        Map.of("tls", tls)));
    }

    @Override
    public void replace(EtcdPeer peer) throws StaleViewException, RefusedException {
        write(peer, () -> client.resource(peer).update());
    }

    @Override
    public void annotate(HasMetadata object, Map<String, String> annotations)
            throws StaleViewException, RefusedException {
        Map<String, Object> metadata =
                new HashMap<>(Map.of("uid", object.getMetadata().getUid(), "annotations", annotations));
        if (Kube.isAnnotatedAsSeen(object)) {
            metadata.put("resourceVersion", object.getMetadata().getResourceVersion());
        }
        patch(object, Map.of("metadata", metadata));
    }

    @Override
    public void mark(PersistentVolumeClaim claim, ClaimMark mark) throws StaleViewException, RefusedException {
        patch(claim, Map.of("metadata", ClaimPatch.of(claim, mark)));
    }

    @Override
    public void label(HasMetadata object, Map<String, String> labels) throws StaleViewException, RefusedException {
        patch(object, Map.of("metadata", Map.of("uid", object.getMetadata().getUid(), "labels", labels)));
    }

    @Override
    public void resize(PersistentVolumeClaim claim, Quantity storage) throws StaleViewException, RefusedException {
        patch(
                claim,
                Map.of(
                        "metadata",
                        Map.of("uid", claim.getMetadata().getUid()),
                        "spec",
                        Map.of("resources", Map.of("requests", Map.of("storage", storage.toString())))));
    }

    private void patch(HasMetadata object, Map<String, Object> change) throws StaleViewException, RefusedException {
        String patch = client.getKubernetesSerialization().asJson(change);
        write(object, () -> client.resource(object).patch(PatchContext.of(PatchType.JSON_MERGE), patch));
    }

    /** A pod on its way out goes, whatever has become of it. */
    private List<StatusDetails> deleteAsSeen(HasMetadata object) {
        if (object instanceof Pod && object.getMetadata().getDeletionTimestamp() != null) {
            return client.resource(object).withGracePeriod(HURRY).delete();
        }
        return client.resource(object)
                .lockResourceVersion(object.getMetadata().getResourceVersion())
                .delete();
    }

    @Override
    public void delete(HasMetadata object) throws StaleViewException, RefusedException {
        List<StatusDetails> deleted = attempt(object, () -> deleteAsSeen(object));
        recent.forget(object);
        if (deleted.isEmpty()) {
            // The client takes an object that is gone for one that it has deleted.
            throw new StaleViewException(
                    object.getKind() + " " + object.getMetadata().getName() + " is gone");
        }
    }

    @Override
    public EtcdCluster replaceStatus(EtcdCluster cluster) throws StaleViewException, RefusedException {
        return write(cluster, () -> client.resource(cluster).updateStatus());
    }

    @Override
    public void replaceStatus(EtcdPeer peer) throws StaleViewException, RefusedException {
        write(peer, () -> client.resource(peer).updateStatus());
    }

    @Override
    public <T extends CustomResource<?, ?>> T replaceStatus(T object) throws StaleViewException, RefusedException {
        return write(object, () -> client.resource(object).updateStatus());
    }

    @Override
    public void bind(HasMetadata object, List<String> finalizers, List<OwnerReference> owners)
            throws StaleViewException, RefusedException {
        patch(
                object,
                Map.of(
                        "metadata",
                        Map.of(
                                "uid",
                                object.getMetadata().getUid(),
                                "resourceVersion",
                                object.getMetadata().getResourceVersion(),
                                "finalizers",
                                finalizers,
                                "ownerReferences",
                                owners)));
    }

    @Override
    public void requireAsSeen(ClusterObjects seen) throws StaleViewException {
        new SecondLook(client).requireAsSeen(seen);
    }

    @Override
    public void tell(HasMetadata about, Notice notice) {
        events.write(about, notice);
    }

    private <T extends HasMetadata> T write(T object, Supplier<T> call) throws StaleViewException, RefusedException {
        T stored = attempt(object, call);
        recent.remember(stored);
        return stored;
    }

    private static <T> T attempt(HasMetadata object, Supplier<T> call) throws StaleViewException, RefusedException {
        try {
            return call.get();
        } catch (KubernetesClientException e) {
            String what = object.getKind() + " " + object.getMetadata().getName();
            if (object instanceof Certificate && e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                throw new RefusedException(NO_CERT_MANAGER);
            }
            switch (e.getCode()) {
                case HttpURLConnection.HTTP_CONFLICT, HttpURLConnection.HTTP_NOT_FOUND ->
                    throw new StaleViewException(what + ": " + e.getMessage());
                case HttpURLConnection.HTTP_FORBIDDEN, HttpURLConnection.HTTP_BAD_REQUEST, UNPROCESSABLE -> {
                    if (isCausedBy(e, cause -> "NamespaceTerminating".equals(cause.getReason()))) {
                        throw new NamespaceEndsException(what + ": " + sentence(e));
                    }
                    // Another object of the name is there now, with a uid of its own.
                    if (isCausedBy(e, cause -> "metadata.uid".equals(cause.getField()))) {
                        throw new StaleViewException(what + " is gone: " + sentence(e));
                    }
                    throw new RefusedException("The API server refuses %s: %s".formatted(what, sentence(e)));
                }
                default -> throw e;
            }
        }
    }

    /** A namesake that a deleted cluster left goes by itself; anybody else's stays, and is not taken over. */
    private void refuseNamesake(HasMetadata wanted) throws StaleViewException, RefusedException {
        HasMetadata present = client.resource(wanted).get();
        if (present == null) {
            return;
        }
        String what = wanted.getKind() + " " + wanted.getMetadata().getName();
        if (wanted instanceof Job || wanted instanceof EtcdBackup || isFilledByRestore(wanted)) {
            if (wanted.getMetadata().getLabels().entrySet().stream()
                    .allMatch(label -> label.getValue()
                            .equals(present.getMetadata().getLabels().get(label.getKey())))) {
                throw new StaleViewException(what + " is there already");
            }
            throw new RefusedException("%s exists and was made by somebody else; delete or rename it".formatted(what));
        }
        String cluster = wanted.getMetadata().getLabels().get(Labels.CLUSTER);
        if (Objects.equals(cluster, present.getMetadata().getLabels().get(Labels.CLUSTER))) {
            throw new StaleViewException(what + " is there already");
        }
        throw new RefusedException(
                "%s exists and is not this cluster's; delete it, or give the cluster another name".formatted(what));
    }

    private static boolean isFilledByRestore(HasMetadata object) {
        return object instanceof PersistentVolumeClaim
                && object.getMetadata().getLabels().containsKey(Labels.RESTORE);
    }

    private static boolean isCausedBy(KubernetesClientException e, Predicate<StatusCause> cause) {
        return Optional.ofNullable(e.getStatus())
                .map(Status::getDetails)
                .map(StatusDetails::getCauses)
                .map(causes -> causes.stream().anyMatch(cause))
                .orElse(false);
    }

    private static String sentence(KubernetesClientException e) {
        return Optional.ofNullable(e.getStatus()).map(Status::getMessage).orElse(String.valueOf(e.getMessage()));
    }
}
