package io.improbable.etcd.restore;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.improbable.etcd.api.EtcdBackup;
import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.api.EtcdPeer;
import io.improbable.etcd.api.EtcdRestore;
import io.improbable.etcd.api.TlsSpec;
import io.improbable.etcd.domain.ObjectKey;
import io.improbable.etcd.kube.ClusterObjects;
import io.improbable.etcd.kube.Kube;
import io.improbable.etcd.kube.Notice;
import io.improbable.etcd.kube.RestoreCache;
import io.improbable.etcd.manifest.Labels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** An API server as a restore sees it, which can break off before or after any write. */
final class World implements Kube, RestoreCache {
    static final String NAMESPACE = "ns";

    private final Map<String, HasMetadata> objects = new TreeMap<>();
    private final List<String> writes = new ArrayList<>();
    private final Set<String> lostVolumes = new HashSet<>();
    private int version = 1;
    private int untilCrash = Integer.MAX_VALUE;
    private boolean afterWriting;
    private boolean deletingRefused;

    /** The operator died. */
    static final class CrashException extends RuntimeException {}

    void crashAt(int write, boolean after) {
        untilCrash = write;
        afterWriting = after;
    }

    /** The API server allows nobody to delete anything. */
    void refuseDeleting() {
        deletingRefused = true;
    }

    /** A node that alone had the volume of a claim is gone. */
    void loseVolume(String claim) {
        lostVolumes.add(claim);
    }

    List<String> writes() {
        return writes;
    }

    <T extends HasMetadata> T put(T object) {
        object.getMetadata().setNamespace(NAMESPACE);
        object.getMetadata().setResourceVersion(Integer.toString(version++));
        if (object.getMetadata().getUid() == null) {
            object.getMetadata()
                    .setUid("uid-" + object.getKind() + "-"
                            + object.getMetadata().getName());
        }
        objects.put(key(object), copy(object));
        return object;
    }

    void remove(HasMetadata object) {
        objects.remove(key(object));
    }

    <T extends HasMetadata> Optional<T> get(Class<T> type, String name) {
        return all(type).stream()
                .filter(object -> object.getMetadata().getName().equals(name))
                .findFirst();
    }

    <T extends HasMetadata> List<T> all(Class<T> type) {
        return objects.values().stream()
                .filter(type::isInstance)
                .map(object -> type.cast(copy(object)))
                .toList();
    }

    @Override
    public Optional<RestoreObjects> restore(ObjectKey key) {
        return get(EtcdRestore.class, key.name()).map(restore -> {
            String cluster = restore.getSpec().clusterTemplate().clusterName();
            return new RestoreObjects(
                    restore,
                    all(EtcdRestore.class).stream()
                            .filter(other -> !other.getMetadata().getName().equals(key.name()))
                            .toList(),
                    all(EtcdBackup.class),
                    new Namesakes(
                            get(EtcdCluster.class, cluster),
                            labelled(EtcdPeer.class, Labels.CLUSTER, cluster),
                            labelled(Pod.class, Labels.CLUSTER, cluster),
                            labelled(PersistentVolumeClaim.class, Labels.CLUSTER, cluster),
                            lostVolumes),
                    labelled(PersistentVolumeClaim.class, Labels.RESTORE, key.name()),
                    labelled(Job.class, Labels.RESTORE, key.name()),
                    labelled(Pod.class, Labels.RESTORE, key.name()));
        });
    }

    private <T extends HasMetadata> List<T> labelled(Class<T> type, String label, String value) {
        return all(type).stream()
                .filter(object -> value.equals(object.getMetadata().getLabels().get(label)))
                .toList();
    }

    @Override
    public void create(HasMetadata object) throws StaleViewException {
        write("create", object, () -> {
            if (objects.containsKey(key(object))) {
                throw new StaleViewException("there already");
            }
            put(object);
        });
    }

    @Override
    public void mark(PersistentVolumeClaim claim, ClaimMark mark) throws StaleViewException {
        write("mark", claim, () -> {
            PersistentVolumeClaim current = current(claim);
            Map<String, String> labels = new HashMap<>(current.getMetadata().getLabels());
            labels.putAll(mark.labels());
            mark.without().forEach(labels::remove);
            current.getMetadata().setLabels(labels);
            current.getMetadata().getAnnotations().putAll(mark.annotations());
            if (mark.ownerless()) {
                current.getMetadata().setOwnerReferences(List.of());
            }
            put(current);
        });
    }

    @Override
    public void annotate(HasMetadata object, Map<String, String> annotations) throws StaleViewException {
        write("annotate", object, () -> {
            HasMetadata current = current(object);
            Map<String, String> all = new HashMap<>(current.getMetadata().getAnnotations());
            all.putAll(annotations);
            current.getMetadata().setAnnotations(all);
            put(current);
        });
    }

    @Override
    public void bind(HasMetadata object, List<String> finalizers, List<OwnerReference> owners)
            throws StaleViewException {
        write("bind", object, () -> {
            HasMetadata current = current(object);
            current.getMetadata().setFinalizers(finalizers);
            put(current);
            if (finalizers.isEmpty() && current.getMetadata().getDeletionTimestamp() != null) {
                remove(current);
            }
        });
    }

    @Override
    public void delete(HasMetadata object) throws StaleViewException, RefusedException {
        if (deletingRefused) {
            throw new RefusedException("deleting is forbidden");
        }
        write("delete", object, () -> remove(current(object)));
    }

    @Override
    public EtcdCluster replaceStatus(EtcdCluster cluster) throws StaleViewException {
        write("status", cluster, () -> {
            EtcdCluster current = current(cluster);
            current.setStatus(cluster.getStatus());
            put(current);
        });
        return cluster;
    }

    @Override
    public <T extends CustomResource<?, ?>> T replaceStatus(T object) throws StaleViewException {
        write("status", object, () -> {
            EtcdRestore current = (EtcdRestore) current(object);
            current.setStatus(((EtcdRestore) (Object) object).getStatus());
            put(current);
        });
        return object;
    }

    @Override
    public void tell(HasMetadata about, Notice notice) {}

    @Override
    public void apply(HasMetadata object) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void replace(Secret secret) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void record(EtcdCluster cluster, TlsSpec tls) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void replace(EtcdPeer peer) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void label(HasMetadata object, Map<String, String> labels) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void resize(PersistentVolumeClaim claim, Quantity storage) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void requireAsSeen(ClusterObjects seen) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void replaceStatus(EtcdPeer peer) {
        throw new UnsupportedOperationException();
    }

    private interface Write {
        void run() throws StaleViewException;
    }

    private void write(String verb, HasMetadata object, Write write) throws StaleViewException {
        boolean last = --untilCrash == 0;
        if (last && !afterWriting) {
            throw new CrashException();
        }
        write.run();
        writes.add(verb + " " + object.getKind() + " " + object.getMetadata().getName());
        if (last) {
            throw new CrashException();
        }
    }

    @SuppressWarnings("unchecked")
    private <T extends HasMetadata> T current(T read) throws StaleViewException {
        HasMetadata current = objects.get(key(read));
        if (current == null
                || !current.getMetadata()
                        .getResourceVersion()
                        .equals(read.getMetadata().getResourceVersion())) {
            throw new StaleViewException("changed or gone");
        }
        return (T) copy(current);
    }

    @SuppressWarnings("unchecked")
    private static <T extends HasMetadata> T copy(T object) {
        return (T) Serialization.clone(object);
    }

    private static String key(HasMetadata object) {
        return object.getKind() + " " + object.getMetadata().getName();
    }
}
