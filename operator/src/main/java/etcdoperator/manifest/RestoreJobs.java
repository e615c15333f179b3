package etcdoperator.manifest;

import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreStatus.ChosenBackup;
import etcdoperator.api.PeerImage;
import etcdoperator.api.PodTemplate;
import etcdoperator.api.backup.BackupDestination;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Scheme;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** The Jobs of a restore: they look at the backup, or at what survives, and put it on a claim as etcd wants it. */
public final class RestoreJobs {
    /**
     * How far revisions go on where that of the source is not known, or is beyond all that this operator gives out.
     * Without a leap watchers, and caches such as those of Kubernetes, would take new writes for ones they have seen.
     */
    private static final long LEAP = 1_000_000_000L;

    /**
     * Revisions after a restore depend on its time alone, and grow faster than etcd can write: a later restore is always
     * ahead of an earlier one and of all that was written since, whichever backup is restored.
     */
    private static final long REVISIONS_A_SECOND = 10_000_000L;

    private static final Instant FIRST_SECOND = Instant.parse("2026-01-01T00:00:00Z");

    /** The images of 3.4 have no etcdutl, and what that of 3.5 writes is read by 3.4. */
    static final EtcdVersion WITH_ETCDUTL = new EtcdVersion(3, 5, 35);

    private static final String WORK = EtcdContainer.MOUNT_PATH + "/restore";
    private static final String SURVIVOR = "/var/lib/survivor";

    private final EtcdRestore restore;
    private final ChosenBackup chosen;
    private final AgentSetup setup;

    public RestoreJobs(EtcdRestore restore, ChosenBackup chosen, AgentSetup setup) {
        this.restore = restore;
        this.chosen = chosen;
        this.setup = setup;
    }

    /**
     * What the claim is to hold.
     *
     * @param scheme how the other members will reach the one on it
     */
    public record Content(ClusterKey cluster, String claimName, EtcdVersion version, Scheme scheme) {
        /** The first one: the others join it. */
        public PeerName peer() {
            return new PeerName(cluster.name(), 0);
        }

        public String peerUrl() {
            return Addresses.peerUrl(scheme, Addresses.memberHost(cluster, claimName));
        }
    }

    public static String inspection(String restore) {
        return restore + "-inspect";
    }

    public static String filling(String restore) {
        return restore + "-restore";
    }

    /** @param number of the survivor, among those that were chosen from */
    public static String surveying(String restore, int number) {
        return restore + "-survey-" + number;
    }

    /** @param number of the claim, among those that were found empty */
    public static String lookingAgain(String restore, int number) {
        return restore + "-look-" + number;
    }

    /** @param number of the claim, among those of learners */
    public static String surveyingVoters(String restore, int number) {
        return restore + "-voters-" + number;
    }

    public Job inspect() {
        return job(inspection(restore.getMetadata().getName())).running("inspect", backup());
    }

    /** In a pod that goes where the member's pod would go, and writes as the user who will read. */
    public Job fill(Content content, EtcdClusterSpec spec) {
        AgentJob job = job(filling(restore.getMetadata().getName()));
        AgentKit claim = filled(content);
        AgentKit fetching = backup().and(claim)
                .and(Optional.ofNullable(chosen.sha256())
                        .map(sum -> AgentKit.ofFlags("--sha256=" + sum))
                        .orElse(AgentKit.EMPTY));
        Job made = job.running(
                List.of(job.container("fetch", fetching), etcdutl(content, spec, claim)),
                job.container("finish", claim),
                fetching.volumes());
        place(made.getSpec().getTemplate().getSpec(), spec.podTemplateWithAffinity(), content.cluster());
        return made;
    }

    /**
     * The same from the claim of a member that survives, which nobody writes to: the agent copies what is on it, an
     * etcd that nobody else sees does all that is in its log, and what the agent then takes from it is restored as any
     * snapshot is.
     *
     * @param written the version that ran on it: another one may not read what is in the log
     */
    public Job salvage(Content content, EtcdClusterSpec spec, String survivor, EtcdVersion written) {
        AgentJob job = job(filling(restore.getMetadata().getName()));
        AgentKit claim = filled(content);
        AgentKit disk = survivor(survivor);
        AgentMount user = AgentMount.optionalSecret("login", PasswordSecrets.operator(content.cluster()));
        AgentKit login = user.with("--root-dir=" + user.folder());
        Job made = job.running(
                List.of(
                        job.container("salvage", disk.and(claim)),
                        ThrowAwayEtcd.on(WORK + "/copy", claim.mounts(), spec, written, "--force-new-cluster"),
                        job.container(
                                "capture", claim.and(login).and(AgentKit.ofFlags("--endpoint=" + ThrowAwayEtcd.URL))),
                        etcdutl(content, spec, claim)),
                job.container("finish", claim),
                disk.and(claim).and(login).volumes());
        place(made.getSpec().getTemplate().getSpec(), spec.podTemplateWithAffinity(), content.cluster());
        return made;
    }

    /**
     * Says how far a survivor's log goes. Each is looked at by a pod of its own: one volume may be of one node or zone,
     * and the next one of another.
     */
    public Job survey(ClusterKey cluster, EtcdClusterSpec spec, String survivor) {
        int number = chosen.claims().indexOf(survivor);
        return survey(surveying(restore.getMetadata().getName(), number), cluster, spec, survivor(survivor));
    }

    /** Says which members vote by the log on a claim, which may be that of a learner. */
    public Job surveyVoters(ClusterKey cluster, EtcdClusterSpec spec, String claim) {
        int number = Recoveries.learners(restore).indexOf(claim);
        return survey(
                surveyingVoters(restore.getMetadata().getName(), number),
                cluster,
                spec,
                survivor(claim).and(AgentKit.ofFlags("--voters-only=true")));
    }

    /** Says whether there is data on a claim on which etcd has found none. */
    public Job lookAgain(ClusterKey cluster, EtcdClusterSpec spec, String claim) {
        int number = Recoveries.foundEmpty(restore).indexOf(claim);
        return survey(lookingAgain(restore.getMetadata().getName(), number), cluster, spec, survivor(claim));
    }

    private Job survey(String name, ClusterKey cluster, EtcdClusterSpec spec, AgentKit disk) {
        Job made = job(name).running("survey", disk);
        place(made.getSpec().getTemplate().getSpec(), spec.podTemplateWithAffinity(), cluster);
        return made;
    }

    private static AgentKit survivor(String claim) {
        return AgentMount.claim("survivor", claim, SURVIVOR, true).with("--claim=" + claim, "--from=" + SURVIVOR);
    }

    private AgentKit filled(Content content) {
        return AgentMount.claim(EtcdContainer.DATA_VOLUME, content.claimName(), EtcdContainer.MOUNT_PATH, false)
                .with("--to=" + EtcdContainer.MOUNT_PATH, "--uid=" + uid());
    }

    private AgentJob job(String name) {
        var job = new AgentJob(
                restore,
                name,
                setup.image(),
                Labels.ofAgent(Labels.RESTORE, restore.getMetadata().getName()),
                new AgentJob.Settings(
                        Optional.ofNullable(chosen.serviceAccountName()), Optional.empty(), Optional.empty()));
        return Optional.ofNullable(chosen.location()).map(job::loggingInAt).orElse(job);
    }

    private AgentKit backup() {
        BackupDestination location = Objects.requireNonNull(chosen.location());
        return StoreKit.of(location, setup.endpoints())
                .and(StoreKit.of(chosen.encryption()))
                .and(AgentKit.ofFlags("--path=" + path(location)));
    }

    private static String path(BackupDestination location) {
        return Stream.concat(
                        Stream.ofNullable(location.bucket()).flatMap(bucket -> Stream.ofNullable(bucket.objectPath())),
                        Stream.ofNullable(location.volume()).flatMap(volume -> Stream.ofNullable(volume.path())))
                .findFirst()
                .orElse("");
    }

    private Container etcdutl(Content content, EtcdClusterSpec spec, AgentKit claim) {
        EtcdVersion version = content.version().minor() < WITH_ETCDUTL.minor() ? WITH_ETCDUTL : content.version();
        PeerImage etcd = spec.imageOrDefault().at(version.toString());
        List<String> arguments = List.of(
                "snapshot",
                "restore",
                WORK + "/snapshot.db",
                "--data-dir=" + WORK + "/data",
                "--name=" + content.peer(),
                "--initial-cluster=" + content.peer() + "=" + content.peerUrl(),
                "--initial-cluster-token=" + uid(),
                "--initial-advertise-peer-urls=" + content.peerUrl(),
                "--bump-revision=" + leap(),
                "--mark-compacted");
        return RestrictedContainer.of("etcdutl", etcd, "/usr/local/bin/etcdutl", arguments)
                .withVolumeMounts(claim.mounts())
                .withResources(spec.podTemplateWithAffinity().resources())
                .build();
    }

    private long leap() {
        return Optional.ofNullable(restore.getStatus())
                .flatMap(status -> Optional.ofNullable(status.revision()))
                .map(revision -> secondsOfRestores() * REVISIONS_A_SECOND + LEAP - revision)
                .filter(leap -> leap > 0)
                .orElse(LEAP);
    }

    private long secondsOfRestores() {
        return Duration.between(FIRST_SECOND, Ages.madeAt(restore)).toSeconds();
    }

    private static void place(PodSpec pod, PodTemplate template, ClusterKey cluster) {
        pod.setSecurityContext(PeerReplicaSet.securityContext(template.securityContext()));
        pod.setAffinity(Placement.affinity(template, cluster));
        pod.setNodeSelector(template.nodeSelector());
        pod.setTolerations(Tolerations.of(template.tolerations()));
        pod.setTopologySpreadConstraints(Placement.spread(template, cluster));
        pod.setPriorityClassName(template.priorityClassName());
        pod.setImagePullSecrets(template.imagePullSecrets());
    }

    private String uid() {
        return restore.getMetadata().getUid();
    }
}
