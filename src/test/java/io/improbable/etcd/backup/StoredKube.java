package io.improbable.etcd.backup;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.improbable.etcd.api.EtcdBackup;
import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.api.EtcdPeer;
import io.improbable.etcd.api.TlsSpec;
import io.improbable.etcd.kube.ClusterObjects;
import io.improbable.etcd.kube.Kube;
import io.improbable.etcd.kube.Notice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An API server of one namespace, as an operator sees it that may die at any effect. */
public abstract class StoredKube implements Kube {
    private final Map<String, HasMetadata> objects = new LinkedHashMap<>();
    private final List<String> effects = new ArrayList<>();
    private final List<Notice> told = new ArrayList<>();
    private final Map<String, String> refusals = new HashMap<>();
    private boolean ends;
    private int version;
    private int effectsUntilDeath = Integer.MAX_VALUE;

    /** The operator's process is gone. */
    public static final class Death extends RuntimeException {}

    abstract Instant now();

    public void dieAtEffect(int number) {
        effectsUntilDeath = number;
    }

    public void namespaceEnds() {
        ends = true;
    }

    /** Nothing of this kind can be made, until it is allowed again. */
    public void refuses(String kind, String why) {
        refusals.put(kind, why);
    }

    public void allows(String kind) {
        refusals.remove(kind);
    }

    public List<String> effects() {
        return effects;
    }

    public List<String> told() {
        return told.stream().map(Notice::reason).toList();
    }

    public List<String> sentences() {
        return told.stream().map(Notice::message).toList();
    }

    public <T extends HasMetadata> Optional<T> find(Class<T> type, String name) {
        return all(type).stream()
                .filter(object -> object.getMetadata().getName().equals(name))
                .findFirst();
    }

    private <T extends HasMetadata> List<T> all(Class<T> type) {
        return cached(type).stream().map(Serialization::clone).toList();
    }

    /** For passes, which change nothing of what they read. */
    <T extends HasMetadata> List<T> cached(Class<T> type) {
        return objects.values().stream()
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    <T extends HasMetadata> Optional<T> cached(Class<T> type, String name) {
        return cached(type).stream()
                .filter(object -> object.getMetadata().getName().equals(name))
                .findFirst();
    }

    /** By a user: what is held back stays until it is let go. */
    public void userDeletes(EtcdBackup backup) {
        if (backup.getMetadata().getFinalizers().isEmpty()) {
            remove(backup);
        } else {
            backup.getMetadata().setDeletionTimestamp(now().toString());
            store(backup, false);
        }
    }

    @Override
    public void create(HasMetadata object) throws StaleViewException, RefusedException {
        if (ends) {
            throw new NamespaceEndsException("the namespace is being terminated");
        }
        if (refusals.containsKey(object.getKind())) {
            throw new RefusedException(refusals.get(object.getKind()));
        }
        if (objects.containsKey(key(object))) {
            throw new StaleViewException(key(object) + " is there already");
        }
        effect("create", object, () -> store(object, true));
    }

    @Override
    public void apply(HasMetadata object) {
        effect("apply", object, () -> {
            object.getMetadata().setGeneration(version + 1L);
            store(object, false);
        });
    }

    @Override
    public void replace(EtcdPeer peer) throws StaleViewException {
        current(peer);
        effect("replace", peer, () -> store(peer, false));
    }

    @Override
    public void annotate(HasMetadata object, Map<String, String> annotations) throws StaleViewException {
        HasMetadata changed = current(object);
        Map<String, String> all = new HashMap<>(
                Optional.ofNullable(changed.getMetadata().getAnnotations()).orElse(Map.of()));
        all.putAll(annotations);
        changed.getMetadata().setAnnotations(all);
        effect("annotate", object, () -> store(changed, false));
    }

    @Override
    public void delete(HasMetadata object) throws StaleViewException {
        current(object);
        effect("delete", object, () -> {
            if (object instanceof EtcdBackup backup) {
                userDeletes(Serialization.clone(backup));
            } else {
                remove(object);
            }
        });
    }

    @Override
    public <T extends CustomResource<?, ?>> T replaceStatus(T object) throws StaleViewException {
        current(object);
        effect("status", object, () -> store(object, false));
        return object;
    }

    @Override
    public void bind(HasMetadata object, List<String> finalizers, List<OwnerReference> owners)
            throws StaleViewException {
        HasMetadata changed = current(object);
        changed.getMetadata().setFinalizers(finalizers);
        changed.getMetadata().setOwnerReferences(owners);
        effect("bind", object, () -> {
            if (finalizers.isEmpty() && changed.getMetadata().getDeletionTimestamp() != null) {
                remove(changed);
            } else {
                store(changed, false);
            }
        });
    }

    @Override
    public void requireAsSeen(ClusterObjects seen) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void tell(HasMetadata about, Notice notice) {
        told.add(notice);
    }

    private void effect(String verb, HasMetadata object, Runnable deed) {
        deed.run();
        effects.add(verb + " " + object.getKind() + " " + object.getMetadata().getName());
        if (--effectsUntilDeath == 0) {
            throw new Death();
        }
    }

    private HasMetadata current(HasMetadata read) throws StaleViewException {
        HasMetadata current = objects.get(key(read));
        if (current == null
                || !current.getMetadata()
                        .getResourceVersion()
                        .equals(read.getMetadata().getResourceVersion())) {
            throw new StaleViewException(key(read) + " has changed");
        }
        return Serialization.clone(current);
    }

    void store(HasMetadata object, boolean made) {
        HasMetadata stored = Serialization.clone(object);
        stored.getMetadata().setResourceVersion(Integer.toString(++version));
        if (made) {
            stored.getMetadata().setUid("uid-" + version);
            if (stored.getMetadata().getCreationTimestamp() == null) {
                stored.getMetadata().setCreationTimestamp(now().toString());
            }
        }
        objects.put(key(stored), stored);
    }

    void remove(HasMetadata object) {
        objects.remove(key(object));
    }

    private static String key(HasMetadata object) {
        return object.getKind() + " " + object.getMetadata().getName();
    }

    @Override
    public void mark(PersistentVolumeClaim claim, ClaimMark mark) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void replace(Secret secret) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void record(EtcdCluster known, TlsSpec tls) {
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
    public EtcdCluster replaceStatus(EtcdCluster known) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void replaceStatus(EtcdPeer peer) {
        throw new UnsupportedOperationException();
    }
}
