package io.improbable.etcd.kube;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.api.EtcdPeer;
import io.improbable.etcd.manifest.Labels;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The real API server. */
final class FabricKube implements Kube {
    private static final String FIELD_MANAGER = "etcd-operator";
    private static final int UNPROCESSABLE = 422;

    private final KubernetesClient client;
    private final RecentWrites recent;
    private final EventWriter events;

    FabricKube(KubernetesClient client, RecentWrites recent, EventWriter events) {
        this.client = client;
        this.recent = recent;
        this.events = events;
    }

    @Override
    public void create(HasMetadata object) throws StaleViewException, RefusedException {
        HasMetadata present = client.resource(object).get();
        if (present != null) {
            throw taken(object, present);
        }
        // Created by apply, so that a field which is no longer asked for goes away with a later apply. A claim must
        // come to be exactly once, which only a plain create can promise.
        if (isCreatedOnce(object)) {
            write(object, () -> client.resource(object).create());
        } else {
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
    public void replace(EtcdPeer peer) throws StaleViewException, RefusedException {
        write(peer, () -> client.resource(peer).update());
    }

    @Override
    public void annotate(HasMetadata object, Map<String, String> annotations)
            throws StaleViewException, RefusedException {
        var metadata = Map.of("uid", object.getMetadata().getUid(), "annotations", annotations);
        String patch = client.getKubernetesSerialization().asJson(Map.of("metadata", metadata));
        write(object, () -> client.resource(object).patch(PatchContext.of(PatchType.JSON_MERGE), patch));
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
    public void tell(HasMetadata about, Notice notice) {
        events.write(about, notice);
    }

    private <T extends HasMetadata> T write(T object, Supplier<T> call) throws StaleViewException, RefusedException {
        try {
            T stored = call.get();
            recent.remember(stored);
            return stored;
        } catch (KubernetesClientException e) {
            String what = object.getKind() + " " + object.getMetadata().getName();
            switch (e.getCode()) {
                case HttpURLConnection.HTTP_CONFLICT, HttpURLConnection.HTTP_NOT_FOUND ->
                    throw new StaleViewException(what + ": " + e.getMessage());
                case HttpURLConnection.HTTP_FORBIDDEN, HttpURLConnection.HTTP_BAD_REQUEST, UNPROCESSABLE -> {
                    if (isNamespaceEnding(e)) {
                        throw new StaleViewException(what + ": its namespace is being deleted");
                    }
                    throw new RefusedException("The API server refuses %s: %s".formatted(what, sentence(e)));
                }
                default -> throw e;
            }
        }
    }

    private static boolean isCreatedOnce(HasMetadata object) {
        return switch (object.getKind()) {
            case "PersistentVolumeClaim", "EtcdPeer" -> true;
            default -> false;
        };
    }

    /** A namesake that a deleted cluster left goes by itself; anybody else's stays, and so do we. */
    private static RefusedException taken(HasMetadata wanted, HasMetadata present) throws StaleViewException {
        String what = wanted.getKind() + " " + wanted.getMetadata().getName();
        String cluster = wanted.getMetadata().getLabels().get(Labels.CLUSTER);
        Map<String, String> labels = present.getMetadata().getLabels();
        if (labels != null && cluster != null && cluster.equals(labels.get(Labels.CLUSTER))) {
            throw new StaleViewException(what + " is there already");
        }
        String owner = present.getMetadata().getOwnerReferences().stream()
                .findFirst()
                .map(OwnerReference::getName)
                .map(name -> " and belongs to " + name)
                .orElse("");
        return new RefusedException(
                "%s exists%s, but is not this cluster's; delete it, or give the cluster another name"
                        .formatted(what, owner));
    }

    private static boolean isNamespaceEnding(KubernetesClientException e) {
        return Optional.ofNullable(e.getStatus())
                .map(io.fabric8.kubernetes.api.model.Status::getDetails)
                .map(StatusDetails::getCauses)
                .map(causes -> causes.stream().anyMatch(cause -> "NamespaceTerminating".equals(cause.getReason())))
                .orElse(false);
    }

    private static String sentence(KubernetesClientException e) {
        return Optional.ofNullable(e.getStatus())
                .map(io.fabric8.kubernetes.api.model.Status::getMessage)
                .orElse(String.valueOf(e.getMessage()));
    }
}
