package io.improbable.etcd.backup;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.improbable.etcd.agent.AgentReport;
import io.improbable.etcd.api.EtcdBackup;
import io.improbable.etcd.api.EtcdBackupSchedule;
import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.api.EtcdPeer;
import io.improbable.etcd.api.TlsSpec;
import io.improbable.etcd.domain.ObjectKey;
import io.improbable.etcd.kube.BackupCache;
import io.improbable.etcd.kube.ClusterObjects;
import io.improbable.etcd.kube.Kube;
import io.improbable.etcd.kube.Notice;
import io.improbable.etcd.manifest.Labels;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A namespace with backups in it: an API server, a Job controller and a clock, and an operator that may die at any effect. */
public final class BackupWorld implements Kube, BackupCache, BackupPass.Agents {
    public static final String NAMESPACE = "ns";

    private final Map<String, HasMetadata> objects = new LinkedHashMap<>();
    private final List<String> effects = new ArrayList<>();
    private final List<Notice> told = new ArrayList<>();
    private Optional<ClusterObjects> cluster = Optional.empty();
    private Optional<AgentReport> progress = Optional.empty();
    private Instant now = Instant.parse("2026-11-15T10:00:30Z");
    private boolean ends;
    private int version;
    private int effectsUntilDeath = Integer.MAX_VALUE;

    /** The operator's process is gone. */
    public static final class Death extends RuntimeException {}

    public Clock clock() {
        return new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return now;
            }
        };
    }

    public void set(String time) {
        now = Instant.parse(time);
    }

    public void pass(Duration time) {
        now = now.plus(time);
    }

    public void dieAtEffect(int number) {
        effectsUntilDeath = number;
    }

    public void namespaceEnds() {
        ends = true;
    }

    public void says(AgentReport report) {
        progress = Optional.of(report);
    }

    public void has(ClusterObjects known) {
        cluster = Optional.of(known);
    }

    public <T extends HasMetadata> void has(T object) {
        object.getMetadata().setNamespace(NAMESPACE);
        store(object, true);
    }

    /** By somebody else. */
    public void changes(HasMetadata object) {
        store(object, false);
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

    public EtcdBackup backup(String name) {
        return find(EtcdBackup.class, name).orElseThrow();
    }

    public EtcdBackupSchedule scheduleNamed(String name) {
        return find(EtcdBackupSchedule.class, name).orElseThrow();
    }

    public List<EtcdBackup> backups() {
        return all(EtcdBackup.class);
    }

    public Job job(String name) {
        return find(Job.class, name).orElseThrow();
    }

    public <T extends HasMetadata> Optional<T> find(Class<T> type, String name) {
        return all(type).stream()
                .filter(object -> object.getMetadata().getName().equals(name))
                .findFirst();
    }

    private <T extends HasMetadata> List<T> all(Class<T> type) {
        return objects.values().stream()
                .filter(type::isInstance)
                .map(type::cast)
                .map(Serialization::clone)
                .toList();
    }

    /** By a user: what is held back stays until it is let go. */
    public void userDeletes(EtcdBackup backup) {
        if (backup.getMetadata().getFinalizers().isEmpty()) {
            remove(backup);
        } else {
            backup.getMetadata().setDeletionTimestamp(now.toString());
            store(backup, false);
        }
    }

    /** The pod of a Job is there, in this phase. */
    public void podOf(String job, String phase) {
        Job owner = job(job);
        store(
                new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName(job + "-x")
                        .withCreationTimestamp(now.toString())
                        .withLabels(owner.getMetadata().getLabels())
                        .addNewOwnerReference()
                        .withUid(owner.getMetadata().getUid())
                        .endOwnerReference()
                        .endMetadata()
                        .withNewStatus()
                        .withPhase(phase)
                        .withPodIP("10.0.0.9")
                        .endStatus()
                        .build(),
                true);
    }

    /** @param condition Complete or Failed @param words the agent's last */
    public void jobEnds(String job, String condition, String words) {
        podOf(job, condition.equals("Complete") ? "Succeeded" : "Failed");
        Pod pod = find(Pod.class, job + "-x").orElseThrow();
        store(
                new PodBuilder(pod)
                        .editStatus()
                        .addNewContainerStatus()
                        .withNewState()
                        .withNewTerminated()
                        .withReason("Error")
                        .withExitCode(condition.equals("Complete") ? 0 : 2)
                        .withMessage(words)
                        .endTerminated()
                        .endState()
                        .endContainerStatus()
                        .endStatus()
                        .build(),
                false);
        store(
                new JobBuilder(job(job))
                        .withNewStatus()
                        .addNewCondition()
                        .withType(condition)
                        .withStatus("True")
                        .withLastTransitionTime(now.toString())
                        .endCondition()
                        .endStatus()
                        .build(),
                false);
    }

    @Override
    public Optional<BackupObjects> backup(ObjectKey key) {
        return find(EtcdBackup.class, key.name())
                .map(backup -> new BackupObjects(
                        backup,
                        cluster.filter(known -> known.cluster()
                                .getMetadata()
                                .getName()
                                .equals(backup.getSpec().source().cluster())),
                        all(Job.class).stream()
                                .filter(job -> key.name()
                                        .equals(job.getMetadata().getLabels().get(Labels.BACKUP)))
                                .toList(),
                        all(Pod.class),
                        all(EtcdBackup.class).stream()
                                .filter(other -> !other.getMetadata().getName().equals(key.name()))
                                .toList(),
                        all(Secret.class)));
    }

    @Override
    public Optional<ScheduleObjects> schedule(ObjectKey key) {
        return find(EtcdBackupSchedule.class, key.name())
                .map(schedule -> new ScheduleObjects(schedule, all(EtcdBackup.class)));
    }

    @Override
    public void create(HasMetadata object) throws StaleViewException, RefusedException {
        if (ends) {
            throw new NamespaceEndsException("the namespace is being terminated");
        }
        if (objects.containsKey(key(object))) {
            throw new StaleViewException(key(object) + " is there already");
        }
        effect("create", object, () -> store(object, true));
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
    public void tell(HasMetadata about, Notice notice) {
        told.add(notice);
    }

    @Override
    public void follow(ObjectKey backup, String address) {}

    @Override
    public void leave(ObjectKey backup) {}

    @Override
    public Optional<AgentReport> heard(ObjectKey backup) {
        return progress;
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

    private void store(HasMetadata object, boolean made) {
        HasMetadata stored = Serialization.clone(object);
        stored.getMetadata().setResourceVersion(Integer.toString(++version));
        if (made) {
            stored.getMetadata().setUid("uid-" + version);
            if (stored.getMetadata().getCreationTimestamp() == null) {
                stored.getMetadata().setCreationTimestamp(now.toString());
            }
        }
        objects.put(key(stored), stored);
    }

    private void remove(HasMetadata object) {
        objects.remove(key(object));
    }

    private static String key(HasMetadata object) {
        return object.getKind() + " " + object.getMetadata().getName();
    }

    @Override
    public void apply(HasMetadata object) {
        throw new UnsupportedOperationException();
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
    public EtcdCluster replaceStatus(EtcdCluster known) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void replaceStatus(EtcdPeer peer) {
        throw new UnsupportedOperationException();
    }
}
