package etcdoperator.restore;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreStatus;
import etcdoperator.api.EtcdRestoreStatus.RestoreStage;
import etcdoperator.api.OperationType;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.domain.AllowedEndpoints;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.RestoredIds;
import etcdoperator.domain.Scheme;
import etcdoperator.kube.RestoreCache.Namesakes;
import etcdoperator.kube.RestoreCache.RestoreObjects;
import etcdoperator.manifest.Ages;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.Recoveries;
import etcdoperator.manifest.RestoreJobs;
import etcdoperator.restore.RestoreView.BackupView;
import etcdoperator.restore.RestoreView.ClusterState;
import etcdoperator.restore.RestoreView.OwnClaim;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimVolumeSource;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Freezes what the caches know of a restore into one view. Pure. */
final class Observer {
    /** Keeps the object while the cluster is not in order. */
    static final String FINALIZER = "etcd.improbable.io/restore";

    /** The operator may have been away since; what was lost may be back. */
    private static final Duration CONFIRMATION_LASTS = Duration.ofSeconds(10);

    private final RestoreObjects objects;
    private final EtcdRestore restore;

    Observer(RestoreObjects objects) {
        this.objects = objects;
        this.restore = objects.restore();
    }

    RestoreView view(boolean tlsByDefault, AllowedEndpoints endpoints, Instant now) {
        String name = restore.getMetadata().getName();
        return new RestoreView(
                name,
                uid(),
                restore.getSpec(),
                status(),
                isDeleting(restore),
                restore.getMetadata().getFinalizers().contains(FINALIZER),
                isUnconfirmed(now),
                rival(),
                objects.backups().stream()
                        // What is stored of one that is on its way out may be gone already.
                        .filter(backup -> !isDeleting(backup))
                        .map(Observer::backup)
                        .toList(),
                cluster().map(this::state),
                claim().map(this::own),
                names(otherClaims().stream()),
                names(otherClaims().stream().filter(Observer::isDeleting)),
                names(asideClaims().stream()),
                formerId(),
                remains().survivors(),
                remains().learners(),
                Recoveries.voters(restore),
                Recoveries.votersFound(restore),
                remains().blanks(now),
                occupant(objects.namesakes()),
                errand(RestoreJobs.inspection(name)),
                errand(RestoreJobs.filling(name)),
                readClaims(job -> job.equals(RestoreJobs.filling(name))),
                !readClaims(job -> true).isEmpty(),
                straggler(),
                tlsByDefault,
                endpoints);
    }

    private boolean isUnconfirmed(Instant now) {
        return Recoveries.isOne(restore)
                && Recoveries.confirmedAt(restore)
                        .filter(at -> Recoveries.isFresh(at, CONFIRMATION_LASTS, now))
                        .isEmpty();
    }

    /** One that still fills its claim may come second as well as this one. */
    private Optional<String> rival() {
        return objects.others().stream()
                .filter(other -> Optional.ofNullable(other.getStatus())
                        .filter(status -> !status.hasEnded())
                        .filter(status ->
                                status.stage() == RestoreStage.SWAPPING || status.stage() == RestoreStage.STARTING)
                        .isPresent())
                .map(other -> other.getMetadata().getName())
                .min(Comparator.naturalOrder());
    }

    private static List<String> names(Stream<PersistentVolumeClaim> claims) {
        return claims.map(claim -> claim.getMetadata().getName()).sorted().toList();
    }

    /** One that is on its way out will not lie down any more, and is no target; to make another is too early. */
    Optional<EtcdCluster> cluster() {
        return objects.namesakes()
                .cluster()
                .filter(cluster -> !restore.getSpec().goesInPlace() || !isDeleting(cluster));
    }

    /** The claim that this very restore has made. */
    Optional<PersistentVolumeClaim> claim() {
        return objects.claims().stream()
                .filter(claim ->
                        uid().equals(claim.getMetadata().getAnnotations().get(Labels.RESTORED_BY)))
                .filter(claim -> claim.getMetadata().getName().equals(status().claimName()))
                .findFirst();
    }

    List<PersistentVolumeClaim> otherClaims() {
        Optional<String> own = claim().map(claim -> claim.getMetadata().getName());
        return objects.namesakes().claims().stream()
                .filter(claim -> !own.equals(Optional.of(claim.getMetadata().getName())))
                .toList();
    }

    /** Those that this restore has set aside, and has not put back. */
    List<PersistentVolumeClaim> asideClaims() {
        return objects.claims().stream()
                .filter(claim ->
                        status().setAsideClaims().contains(claim.getMetadata().getName()))
                .filter(claim -> !claim.getMetadata().getLabels().containsKey(Labels.CLUSTER))
                .filter(claim -> restore.getMetadata()
                        .getName()
                        .equals(claim.getMetadata().getAnnotations().get(Labels.SET_ASIDE_BY)))
                .toList();
    }

    Remains remains() {
        return new Remains(objects, otherClaims());
    }

    private Errand errand(String job) {
        return ErrandReader.read(job, objects.jobs(), objects.pods());
    }

    private List<String> readClaims(Predicate<String> job) {
        List<String> sources = Stream.of(
                        restore.getSpec().source().survivors(),
                        Recoveries.foundEmpty(restore),
                        Recoveries.learners(restore))
                .flatMap(List::stream)
                .toList();
        return objects.jobs().stream()
                .filter(each -> job.test(each.getMetadata().getName()))
                .flatMap(each -> mounted(each.getSpec().getTemplate().getSpec()))
                .filter(sources::contains)
                .toList();
    }

    /** One whose Job was removed, and that may not have noticed. */
    private Optional<String> straggler() {
        List<String> jobs =
                objects.jobs().stream().map(job -> job.getMetadata().getUid()).toList();
        return objects.pods().stream()
                .filter(pod -> pod.getMetadata().getOwnerReferences().stream()
                        .noneMatch(owner -> jobs.contains(owner.getUid())))
                .filter(pod -> mounted(pod.getSpec()).anyMatch(claim -> claim.equals(status().claimName())))
                .map(pod -> pod.getMetadata().getName())
                .findFirst();
    }

    private static Stream<String> mounted(@Nullable PodSpec pod) {
        return (pod == null ? List.<Volume>of() : pod.getVolumes())
                .stream()
                        .flatMap(volume -> Stream.ofNullable(volume.getPersistentVolumeClaim()))
                        .map(PersistentVolumeClaimVolumeSource::getClaimName);
    }

    private Optional<ClusterId> formerId() {
        return asideClaims().stream()
                .flatMap(claim ->
                        Stream.ofNullable(claim.getMetadata().getAnnotations().get(Labels.CLUSTER_ID)))
                .flatMap(id -> ClusterId.tryParse(id).stream())
                .findFirst();
    }

    /** Anybody may have written there. */
    static Optional<EtcdVersion> version(PersistentVolumeClaim claim) {
        return Optional.ofNullable(claim.getMetadata().getAnnotations().get(Labels.VERSION))
                .flatMap(EtcdVersion::tryParse);
    }

    RestoreJobs.Content content(PersistentVolumeClaim claim) {
        return new RestoreJobs.Content(
                clusterKey(),
                claim.getMetadata().getName(),
                version(claim).orElseGet(() -> EtcdVersion.parse(Objects.requireNonNull(status().version()))),
                Scheme.named(claim.getMetadata().getAnnotations().get(Labels.PEER_SCHEME)));
    }

    RestoredIds ids(PersistentVolumeClaim claim) {
        return RestoredIds.of(content(claim).peerUrl(), uid());
    }

    ClusterKey clusterKey() {
        return new ClusterKey(
                restore.getMetadata().getNamespace(),
                restore.getSpec().clusterTemplate().clusterName());
    }

    EtcdRestoreStatus status() {
        return Objects.requireNonNullElse(restore.getStatus(), EtcdRestoreStatus.EMPTY);
    }

    private String uid() {
        return restore.getMetadata().getUid();
    }

    private OwnClaim own(PersistentVolumeClaim claim) {
        return new OwnClaim(
                claim.getMetadata().getName(),
                !claim.getMetadata().getOwnerReferences().isEmpty(),
                claim.getMetadata().getLabels().containsKey(Labels.CLUSTER),
                claim.getMetadata().getAnnotations().containsKey(Labels.CLUSTER_ID),
                isDeleting(claim),
                ids(claim));
    }

    private static BackupView backup(EtcdBackup backup) {
        return new BackupView(
                backup.getMetadata().getName(),
                Optional.ofNullable(backup.getMetadata().getLabels().get(Labels.SCHEDULE)),
                backup.getSpec(),
                Optional.ofNullable(backup.getStatus()));
    }

    private ClusterState state(EtcdCluster cluster) {
        var status = Objects.requireNonNullElse(cluster.getStatus(), EtcdClusterStatus.EMPTY);
        Optional<Condition> available = status.conditions().stream()
                .filter(condition -> "Available".equals(condition.getType()))
                .findFirst();
        return new ClusterState(
                cluster.getSpec(),
                isDeleting(cluster),
                Recoveries.isOne(restore) && Ages.isYounger(cluster, restore),
                Labels.said(cluster, Labels.RESTORED_BY),
                Labels.said(cluster, Labels.RESTORING).map(restore -> restore.substring(restore.indexOf('/') + 1)),
                Optional.ofNullable(status.operation())
                        .filter(operation -> operation.type() == OperationType.RESTORE)
                        .flatMap(operation -> Optional.ofNullable(operation.target())),
                Optional.ofNullable(status.clusterId()),
                available
                        .filter(condition -> "True".equals(condition.getStatus()))
                        .isPresent(),
                available.map(Condition::getMessage).orElse("it has not been looked at yet"));
    }

    private static Optional<String> occupant(Namesakes namesakes) {
        return Stream.concat(namesakes.peers().stream(), namesakes.pods().stream())
                .map(object -> object.getKind() + " " + object.getMetadata().getName())
                .findFirst();
    }

    static boolean isDeleting(HasMetadata object) {
        return object.getMetadata().getDeletionTimestamp() != null;
    }
}
