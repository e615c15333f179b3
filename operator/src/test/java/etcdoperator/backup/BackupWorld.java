package etcdoperator.backup;

import etcdoperator.agentjob.Agents;
import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.ExitCodes;
import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.BackupCache;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.KubeCache;
import etcdoperator.kube.Notice;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.kube.WrittenDown;
import etcdoperator.simulation.world.FakeNamespace;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A namespace with backups in it: an API server, a Job controller and a clock. */
public final class BackupWorld implements BackupCache, KubeCache, Agents {
    public static final String NAMESPACE = "ns";

    private Optional<AgentReport> progress = Optional.empty();
    private final FakeNamespace namespace = new FakeNamespace(Instant.parse("2026-11-15T10:00:30Z"));

    public WrittenDown kube() {
        return namespace.kube();
    }

    public Clock clock() {
        return namespace.clock();
    }

    public void set(String time) {
        namespace.set(Instant.parse(time));
    }

    public void pass(Duration time) {
        namespace.set(clock().instant().plus(time));
    }

    public List<String> effects() {
        return kube().writes();
    }

    public List<String> told() {
        return kube().told().stream().map(Notice::reason).toList();
    }

    public List<String> sentences() {
        return kube().told().stream().map(Notice::message).toList();
    }

    public <T extends HasMetadata> Optional<T> find(Class<T> type, String name) {
        return namespace.get(type, name);
    }

    /** By a user: what is held back stays until it is let go. */
    public void userDeletes(HasMetadata object) {
        namespace.delete(object);
    }

    public void says(AgentReport report) {
        progress = Optional.of(report);
    }

    public <T extends HasMetadata> void has(T object) {
        namespace.put(object);
    }

    /** By somebody else. */
    public void changes(HasMetadata object) {
        namespace.put(object);
    }

    void remove(HasMetadata object) {
        namespace.remove(object);
    }

    public EtcdBackup backup(String name) {
        return find(EtcdBackup.class, name).orElseThrow();
    }

    public EtcdBackupSchedule scheduleNamed(String name) {
        return find(EtcdBackupSchedule.class, name).orElseThrow();
    }

    public List<EtcdBackup> backups() {
        return namespace.cached(EtcdBackup.class);
    }

    public Job job(String name) {
        return find(Job.class, name).orElseThrow();
    }

    /** The pod of a Job is there, in this phase. */
    public void podOf(String job, String phase) {
        Job owner = job(job);
        has(new PodBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName(job + "-x")
                .withCreationTimestamp(clock().instant().toString())
                .withLabels(owner.getMetadata().getLabels())
                .addNewOwnerReference()
                .withUid(owner.getMetadata().getUid())
                .endOwnerReference()
                .endMetadata()
                .withNewStatus()
                .withPhase(phase)
                .withPodIP("10.0.0.9")
                .endStatus()
                .build());
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
        has(new PodBuilder(pod)
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
                .build());
        has(new JobBuilder(job(job))
                .withNewStatus()
                .addNewCondition()
                .withType(condition)
                .withStatus("True")
                .withLastTransitionTime(clock().instant().toString())
                .endCondition()
                .endStatus()
                .build());
    }

    @Override
    public Optional<BackupObjects> backup(ObjectKey key) {
        return namespace
                .cached(EtcdBackup.class, key.name())
                .map(backup -> new BackupObjects(
                        backup,
                        Optional.ofNullable(backup.getSpec().source().cluster())
                                .flatMap(name -> cluster(new ClusterKey(NAMESPACE, name))),
                        namespace.labelled(Job.class, Labels.BACKUP, key.name()),
                        namespace.labelled(Pod.class, Labels.BACKUP, key.name()),
                        namespace.cached(EtcdBackup.class).stream()
                                .filter(other -> !other.getMetadata().getName().equals(key.name()))
                                .toList(),
                        namespace.cached(Secret.class)));
    }

    @Override
    public Optional<ScheduleObjects> schedule(ObjectKey key) {
        return namespace
                .cached(EtcdBackupSchedule.class, key.name())
                .map(schedule -> new ScheduleObjects(
                        schedule,
                        namespace.cached(EtcdBackup.class),
                        namespace.cached(EtcdCluster.class),
                        namespace.labelled(Job.class, Labels.DRILL, key.name()),
                        namespace.labelled(Pod.class, Labels.DRILL, key.name())));
    }

    @Override
    public Optional<ClusterObjects> cluster(ClusterKey key) {
        return namespace
                .cached(EtcdCluster.class, key.name())
                .map(cluster -> new ClusterObjects(
                        cluster,
                        namespace.cached(EtcdPeer.class),
                        namespace.cached(PersistentVolumeClaim.class),
                        namespace.cached(ReplicaSet.class),
                        namespace.labelled(Pod.class, Labels.CLUSTER, key.name()),
                        List.of(),
                        namespace.cached(Secret.class),
                        namespace.cached(EtcdBackup.class),
                        List.of(),
                        List.of(),
                        Set.of(),
                        Set.of(),
                        Map.of()));
    }

    @Override
    public List<PersistentVolumeClaim> claimsOf(ClusterKey key) {
        return namespace.labelled(PersistentVolumeClaim.class, Labels.CLUSTER, key.name());
    }

    @Override
    public Optional<PeerObjects> peer(PeerKey key) {
        return namespace
                .cached(EtcdPeer.class, key.name())
                .map(peer -> new PeerObjects(
                        peer,
                        namespace.cached(ReplicaSet.class, key.name()),
                        namespace.labelled(Pod.class, Labels.PEER, key.name())));
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
