package etcdoperator.backup;

import etcdoperator.api.backup.BackupDestination;
import etcdoperator.api.backup.BucketLocation;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSpec;
import etcdoperator.api.backup.EtcdBackupSpec.Compression;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.api.backup.VolumeLocation;
import etcdoperator.cluster.observe.DataVolumes.DataVolume;
import etcdoperator.kube.BackupCache.BackupObjects;
import etcdoperator.manifest.AgentJob;
import etcdoperator.manifest.AgentKit;
import etcdoperator.manifest.AgentSetup;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.StoreKit;
import etcdoperator.manifest.VolumeReading;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The Jobs of one backup. Pure. */
final class AgentErrands {
    /** As the store's own default has it. */
    private static final String USUAL_PATH = "{namespace}/{cluster}/{time}-{uid}.db";

    private final BackupObjects objects;
    private final EtcdBackup backup;
    private final EtcdBackupSpec spec;

    AgentErrands(BackupObjects objects) {
        this.objects = objects;
        this.backup = objects.backup();
        this.spec = backup.getSpec();
    }

    static String nameOfTaking(EtcdBackup backup) {
        return backup.getMetadata().getName() + "-backup";
    }

    static String nameOfReading(EtcdBackup backup) {
        return backup.getMetadata().getName() + "-read";
    }

    static String nameOfErasing(EtcdBackup backup) {
        return backup.getMetadata().getName() + "-delete";
    }

    /** Those that users have to bring. */
    Set<String> secrets() {
        Set<String> names = new TreeSet<>(StoreKit.secrets(spec.destination(), spec.encryption()));
        Optional.ofNullable(spec.source().tlsSecret()).ifPresent(names::add);
        return names;
    }

    /** @param time fixed here, so that each attempt stores the same object */
    Job taking(AgentSetup setup, Instant time) {
        return job(nameOfTaking(backup), setup, spec.deadline())
                .running("backup", new Sources(objects).kit().and(storing(setup, time)));
    }

    /** The same, of a volume whose member is stopped. */
    Job reading(AgentSetup setup, Instant time, DataVolume volume) {
        Duration longest = spec.deadline()
                .filter(users -> users.compareTo(VolumeReading.LONGEST) < 0)
                .orElse(VolumeReading.LONGEST);
        Job job = job(nameOfReading(backup), setup, Optional.of(longest))
                .running("backup", VolumeReading.kit(volume.claim()).and(storing(setup, time)));
        return VolumeReading.placed(job, volume.peer());
    }

    private AgentKit storing(AgentSetup setup, Instant time) {
        AgentKit facts = AgentKit.ofFlags(
                "--path=" + template(spec.destination()),
                "--namespace=" + backup.getMetadata().getNamespace(),
                "--cluster="
                        + Objects.requireNonNullElse(
                                spec.source().cluster(), backup.getMetadata().getName()),
                "--uid=" + backup.getMetadata().getUid(),
                "--time=" + time,
                "--compression=" + (spec.compression() == Compression.GZIP ? "gzip" : "none"));
        return StoreKit.of(spec.destination(), setup.endpoints())
                .and(StoreKit.of(spec.encryption()))
                .and(facts);
    }

    Job erasing(AgentSetup setup) {
        String path = Optional.ofNullable(backup.getStatus())
                .map(EtcdBackupStatus::path)
                .orElseThrow(() -> new IllegalStateException("nothing is stored that could be removed"));
        // Somebody out of our sight may have stored another one there since.
        AgentKit which = Optional.ofNullable(backup.getStatus().sha256())
                .map(sum -> AgentKit.ofFlags("--path=" + path, "--sha256=" + sum))
                .orElseGet(() -> AgentKit.ofFlags("--path=" + path));
        return job(nameOfErasing(backup), setup, spec.deadline())
                .running(
                        "delete",
                        StoreKit.of(spec.destination(), setup.endpoints()).and(which));
    }

    private AgentJob job(String name, AgentSetup setup, Optional<Duration> deadline) {
        return new AgentJob(
                        backup,
                        name,
                        setup.image(),
                        Labels.ofAgent(Labels.BACKUP, backup.getMetadata().getName()),
                        new AgentJob.Settings(
                                Optional.ofNullable(spec.serviceAccountName()),
                                Optional.ofNullable(spec.resources()),
                                deadline))
                .loggingInAt(spec.destination());
    }

    private static String template(BackupDestination destination) {
        return Optional.ofNullable(destination.bucket())
                .map(BucketLocation::objectPath)
                .or(() -> Optional.ofNullable(destination.volume()).map(VolumeLocation::path))
                .orElse(USUAL_PATH);
    }
}
