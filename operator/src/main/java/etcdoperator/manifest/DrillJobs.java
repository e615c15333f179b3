package etcdoperator.manifest;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.ImageSpec;
import etcdoperator.api.PeerImage;
import etcdoperator.api.backup.DrillSpec;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.domain.AllowedEndpoints;
import etcdoperator.domain.EtcdVersion;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The Job of a drill: the backup is fetched and restored as it is, without the leap of revisions that a restore makes,
 * an etcd is started on it, and the agent beside it compares what it says with what was recorded.
 */
public final class DrillJobs {
    /** A backup that takes longer to restore is one that nobody has the time for when it is needed. */
    private static final Duration LONGEST = Duration.ofHours(1);

    private static final String WORK = EtcdContainer.MOUNT_PATH + "/restore";
    private static final String DATA = WORK + "/data";
    private static final String LOGIN = "login";

    private final EtcdBackupSchedule schedule;
    private final Optional<DrillSpec> spec;
    private final AgentSetup setup;

    public DrillJobs(EtcdBackupSchedule schedule, AgentSetup setup) {
        this.schedule = schedule;
        this.spec = Optional.ofNullable(schedule.getSpec().drill());
        this.setup = setup;
    }

    /** Why a backup that is complete cannot be tried. */
    public static Optional<String> obstacle(EtcdBackup backup, AllowedEndpoints endpoints) {
        return StoreKit.obstacle(backup.getSpec().destination(), endpoints).or(() -> unknown(backup));
    }

    private static Optional<String> unknown(EtcdBackup backup) {
        EtcdBackupStatus status = Objects.requireNonNullElse(backup.getStatus(), EtcdBackupStatus.EMPTY);
        if (status.path() == null || status.revision() == null) {
            return Optional.of("it does not say where it is stored, or of which revision it is; take another backup");
        }
        return versionOf(status).isPresent()
                ? Optional.empty()
                : Optional.of("nothing is recorded of the etcd version that it was taken from; take another backup");
    }

    /** The name of the backup that a Job tries. */
    public static String drilled(Job job) {
        return Optional.ofNullable(job.getMetadata().getAnnotations())
                .map(all -> all.get(Labels.DRILLED))
                .orElse("");
    }

    private static Optional<EtcdVersion> versionOf(EtcdBackupStatus status) {
        try {
            return Optional.ofNullable(status.etcdVersion()).map(EtcdVersion::parse);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** @param clusters among them the one that the backup is of, if it is there */
    public Job of(String name, EtcdBackup backup, List<EtcdCluster> clusters) {
        Optional<EtcdCluster> cluster = clusters.stream()
                .filter(one -> one.getMetadata()
                        .getName()
                        .equals(backup.getSpec().source().cluster()))
                .findFirst();
        AgentJob job = job(name, backup);
        AgentKit room = room();
        AgentKit fetching = fetching(backup)
                .and(room)
                .and(AgentKit.ofFlags(
                        "--to=" + EtcdContainer.MOUNT_PATH,
                        "--uid=" + schedule.getMetadata().getUid()));
        AgentKit login = login(cluster);
        List<Volume> volumes = new ArrayList<>(fetching.volumes());
        volumes.addAll(login.volumes());
        Job made = job.running(
                List.of(
                        job.container("fetch", fetching),
                        etcdutl(backup, cluster, room),
                        ThrowAwayEtcd.on(DATA, room.mounts(), etcd(backup, cluster), resources(cluster))),
                job.container("drill", login.and(recorded(backup.getStatus()))),
                volumes);
        made.getMetadata()
                .setAnnotations(Map.of(Labels.DRILLED, backup.getMetadata().getName()));
        made.getSpec().getTemplate().getSpec().setImagePullSecrets(pullSecrets(cluster));
        return made;
    }

    private AgentJob job(String name, EtcdBackup backup) {
        return new AgentJob(
                        schedule,
                        name,
                        setup.image(),
                        Labels.ofAgent(Labels.DRILL, schedule.getMetadata().getName()),
                        new AgentJob.Settings(
                                Optional.ofNullable(backup.getSpec().serviceAccountName()),
                                Optional.empty(),
                                Optional.of(spec.flatMap(DrillSpec::deadline).orElse(LONGEST))))
                .loggingInAt(backup.getSpec().destination());
    }

    /** Goes with the pod. */
    private AgentKit room() {
        var volume = new VolumeBuilder()
                .withName(EtcdContainer.DATA_VOLUME)
                .withNewEmptyDir()
                .withSizeLimit(spec.flatMap(drill -> Optional.ofNullable(drill.storage()))
                        .map(Quantity::new)
                        .orElse(null))
                .endEmptyDir()
                .build();
        return new AgentMount(volume, EtcdContainer.MOUNT_PATH, false).with();
    }

    private AgentKit fetching(EtcdBackup backup) {
        List<String> which =
                new ArrayList<>(List.of("--path=" + backup.getStatus().path()));
        Optional.ofNullable(backup.getStatus().sha256()).ifPresent(sum -> which.add("--sha256=" + sum));
        return StoreKit.of(backup.getSpec().destination(), setup.endpoints())
                .and(StoreKit.of(backup.getSpec().encryption()))
                .and(AgentKit.ofFlags(which.toArray(String[]::new)));
    }

    private static AgentKit recorded(EtcdBackupStatus status) {
        List<String> flags = new ArrayList<>(List.of("--url=" + ThrowAwayEtcd.URL, "--revision=" + status.revision()));
        Optional.ofNullable(status.hashKV()).ifPresent(hash -> flags.add("--hash-kv=" + hash));
        Optional.ofNullable(status.compactRevision()).ifPresent(at -> flags.add("--compact-revision=" + at));
        Optional.ofNullable(status.keys()).ifPresent(count -> flags.add("--keys=" + count));
        return AgentKit.ofFlags(flags.toArray(String[]::new));
    }

    /** Users are in a backup, too: an etcd that asked for a password does so again. */
    private static AgentKit login(Optional<EtcdCluster> cluster) {
        return cluster.filter(one -> Optional.ofNullable(one.getSpec().auth())
                        .filter(auth -> auth.isEnabled())
                        .isPresent())
                .map(one -> AgentMount.secret(LOGIN, PasswordSecrets.operator(Labels.keyOf(one))))
                .map(mount -> mount.with("--root-dir=" + mount.folder()))
                .orElse(AgentKit.EMPTY);
    }

    private static PeerImage image(Optional<EtcdCluster> cluster, EtcdVersion version) {
        return cluster.map(one -> one.getSpec().imageOrDefault())
                .orElse(ImageSpec.DEFAULT)
                .at(version.toString());
    }

    private static PeerImage etcd(EtcdBackup backup, Optional<EtcdCluster> cluster) {
        return image(cluster, versionOf(backup.getStatus()).orElseThrow());
    }

    private Container etcdutl(EtcdBackup backup, Optional<EtcdCluster> cluster, AgentKit room) {
        EtcdVersion version = versionOf(backup.getStatus()).orElseThrow();
        PeerImage etcd =
                image(cluster, version.minor() < RestoreJobs.WITH_ETCDUTL.minor() ? RestoreJobs.WITH_ETCDUTL : version);
        List<String> arguments = List.of(
                "snapshot",
                "restore",
                WORK + "/snapshot.db",
                "--data-dir=" + DATA,
                "--name=" + ThrowAwayEtcd.NAME,
                "--initial-cluster=" + ThrowAwayEtcd.NAME + "=" + ThrowAwayEtcd.PEER_URL,
                "--initial-advertise-peer-urls=" + ThrowAwayEtcd.PEER_URL);
        return RestrictedContainer.of("etcdutl", etcd, "/usr/local/bin/etcdutl", arguments)
                .withVolumeMounts(room.mounts())
                .withResources(resources(cluster))
                .build();
    }

    private @Nullable ResourceRequirements resources(Optional<EtcdCluster> cluster) {
        return spec.flatMap(drill -> Optional.ofNullable(drill.resources()))
                .or(() -> cluster.flatMap(one -> Optional.ofNullable(
                        one.getSpec().podTemplateWithAffinity().resources())))
                .orElse(null);
    }

    private static List<LocalObjectReference> pullSecrets(Optional<EtcdCluster> cluster) {
        return cluster.map(one -> one.getSpec().podTemplateWithAffinity().imagePullSecrets())
                .orElse(List.of());
    }
}
