package io.improbable.etcd.backup;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.improbable.etcd.agentjob.Agents;
import io.improbable.etcd.agentreport.AgentReport;
import io.improbable.etcd.agentreport.ExitCodes;
import io.improbable.etcd.api.EtcdBackup;
import io.improbable.etcd.api.EtcdBackupSchedule;
import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.api.EtcdPeer;
import io.improbable.etcd.domain.ClusterKey;
import io.improbable.etcd.domain.ObjectKey;
import io.improbable.etcd.kube.BackupCache;
import io.improbable.etcd.kube.ClusterObjects;
import io.improbable.etcd.kube.KubeCache;
import io.improbable.etcd.manifest.Labels;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A namespace with backups in it: an API server, a Job controller and a clock. */
public final class BackupWorld extends StoredKube implements BackupCache, KubeCache, Agents {
    public static final String NAMESPACE = "ns";

    private Optional<AgentReport> progress = Optional.empty();
    private Instant now = Instant.parse("2026-11-15T10:00:30Z");

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

    @Override
    Instant now() {
        return now;
    }

    public void says(AgentReport report) {
        progress = Optional.of(report);
    }

    public <T extends HasMetadata> void has(T object) {
        object.getMetadata().setNamespace(NAMESPACE);
        store(object, true);
    }

    /** By somebody else. */
    public void changes(HasMetadata object) {
        store(object, false);
    }

    public EtcdBackup backup(String name) {
        return find(EtcdBackup.class, name).orElseThrow();
    }

    public EtcdBackupSchedule scheduleNamed(String name) {
        return find(EtcdBackupSchedule.class, name).orElseThrow();
    }

    public List<EtcdBackup> backups() {
        return cached(EtcdBackup.class);
    }

    public Job job(String name) {
        return find(Job.class, name).orElseThrow();
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
        jobEnds(job, condition, words, condition.equals("Complete") ? 0 : ExitCodes.FATAL);
    }

    /** However often its agent tried, no member said a word. */
    public void jobIsNotAnswered(String job) {
        jobEnds(
                job,
                "Failed",
                "{\"state\":\"Failed\",\"message\":\"no member gives a snapshot\"}",
                ExitCodes.UNANSWERED);
    }

    private void jobEnds(String job, String condition, String words, int exitCode) {
        podOf(job, condition.equals("Complete") ? "Succeeded" : "Failed");
        Pod pod = find(Pod.class, job + "-x").orElseThrow();
        store(
                new PodBuilder(pod)
                        .editStatus()
                        .addNewContainerStatus()
                        .withNewState()
                        .withNewTerminated()
                        .withReason("Error")
                        .withExitCode(exitCode)
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
        return cached(EtcdBackup.class, key.name())
                .map(backup -> new BackupObjects(
                        backup,
                        Optional.ofNullable(backup.getSpec().source().cluster())
                                .flatMap(name -> cluster(new ClusterKey(NAMESPACE, name))),
                        cached(Job.class).stream()
                                .filter(job -> key.name()
                                        .equals(job.getMetadata().getLabels().get(Labels.BACKUP)))
                                .toList(),
                        podsWith(Labels.BACKUP, key.name()),
                        cached(EtcdBackup.class).stream()
                                .filter(other -> !other.getMetadata().getName().equals(key.name()))
                                .toList(),
                        cached(Secret.class)));
    }

    @Override
    public Optional<ScheduleObjects> schedule(ObjectKey key) {
        return cached(EtcdBackupSchedule.class, key.name())
                .map(schedule -> new ScheduleObjects(
                        schedule,
                        cached(EtcdBackup.class),
                        cached(EtcdCluster.class),
                        cached(Job.class).stream()
                                .filter(job -> key.name()
                                        .equals(job.getMetadata().getLabels().get(Labels.DRILL)))
                                .toList(),
                        podsWith(Labels.DRILL, key.name())));
    }

    @Override
    public Optional<ClusterObjects> cluster(ClusterKey key) {
        return cached(EtcdCluster.class, key.name())
                .map(cluster -> new ClusterObjects(
                        cluster,
                        cached(EtcdPeer.class),
                        cached(PersistentVolumeClaim.class),
                        cached(ReplicaSet.class),
                        podsWith(Labels.CLUSTER, key.name()),
                        List.of(),
                        cached(Secret.class),
                        cached(EtcdBackup.class),
                        List.of(),
                        List.of(),
                        Set.of(),
                        Set.of(),
                        Map.of()));
    }

    @Override
    public Optional<PeerObjects> peer(PeerKey key) {
        return cached(EtcdPeer.class, key.name())
                .map(peer ->
                        new PeerObjects(peer, cached(ReplicaSet.class, key.name()), podsWith(Labels.PEER, key.name())));
    }

    private List<Pod> podsWith(String label, String value) {
        return cached(Pod.class).stream()
                .filter(pod -> value.equals(pod.getMetadata().getLabels().get(label)))
                .toList();
    }

    @Override
    public void follow(ObjectKey backup, String address) {}

    @Override
    public void leave(ObjectKey backup) {}

    @Override
    public Optional<AgentReport> heard(ObjectKey backup) {
        return progress;
    }
}
