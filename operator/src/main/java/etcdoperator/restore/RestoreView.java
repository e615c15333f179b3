package etcdoperator.restore;

import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.EtcdRestoreSpec;
import etcdoperator.api.EtcdRestoreStatus;
import etcdoperator.api.backup.EtcdBackupSpec;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.domain.AllowedEndpoints;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.RestoredIds;
import java.util.List;
import java.util.Optional;

/**
 * All that a pass knows of a restore.
 *
 * @param deleted whether somebody has deleted the object
 * @param held whether the object waits with its end for the restore
 * @param unconfirmed whether it is for a loss of most voters of which nobody has said just now that it lasts
 * @param rival another restore that is changing the data of the same cluster, and is not over
 * @param backups of the same namespace
 * @param cluster the one that the restore names, if it is there
 * @param claim the one that the restore has made, if it is there
 * @param otherClaims those that carry the cluster's name, whether it is there or not
 * @param leavingClaims those of them that are being deleted
 * @param asideClaims those that this restore has put out of the way
 * @param formerId the etcd cluster whose data is on these
 * @param survivors of the claims that are the source, those that the cluster still has
 * @param learners of the claims of learners that count as having no vote, those that can be looked at
 * @param voters ids of the members that are known to vote
 * @param votersFound ids of members that vote by a log, and were not known to
 * @param blanks claims on which etcd has found nothing, and nobody anything since
 * @param occupant a peer or a pod of the cluster that may have one of them
 * @param readClaims what the Job that fills the claim has mounted
 * @param reading whether any Job has survivors' claims mounted
 * @param straggler a pod that is on the claim without a Job
 * @param tlsByDefault whether clusters get TLS whose manifests say nothing of it
 * @param endpoints of object stores to which agents may send credentials
 */
public record RestoreView(
        String name,
        String uid,
        EtcdRestoreSpec spec,
        EtcdRestoreStatus status,
        boolean deleted,
        boolean held,
        boolean unconfirmed,
        Optional<String> rival,
        List<BackupView> backups,
        Optional<ClusterState> cluster,
        Optional<OwnClaim> claim,
        List<String> otherClaims,
        List<String> leavingClaims,
        List<String> asideClaims,
        Optional<ClusterId> formerId,
        List<Survivor> survivors,
        List<Learner> learners,
        List<String> voters,
        List<String> votersFound,
        List<Blank> blanks,
        Optional<String> occupant,
        Errand inspection,
        Errand filling,
        List<String> readClaims,
        boolean reading,
        Optional<String> straggler,
        boolean tlsByDefault,
        AllowedEndpoints endpoints) {

    /** An EtcdBackup. @param schedule the one that made it */
    public record BackupView(
            String name, Optional<String> schedule, EtcdBackupSpec spec, Optional<EtcdBackupStatus> status) {}

    /**
     * The cluster that is made or restored.
     *
     * @param leaving whether it is being deleted
     * @param another whether it was made after the one that is to be brought back
     * @param madeBy the uid of the restore that made it
     * @param restoring the uid of the restore that it is told to lie down for
     * @param liesFor the name of the restore whose lock it has taken: it does nothing else
     * @param available whether a quorum of it answers
     * @param says what its status says of that
     */
    public record ClusterState(
            EtcdClusterSpec spec,
            boolean leaving,
            boolean another,
            Optional<String> madeBy,
            Optional<String> restoring,
            Optional<String> liesFor,
            Optional<String> clusterId,
            boolean available,
            String says) {
        boolean paused() {
            return Boolean.TRUE.equals(spec.paused());
        }
    }

    /**
     * The claim that is filled.
     *
     * @param owned whether it goes with the restore
     * @param handedOver whether it is the cluster's by now
     * @param used whether it ever was: whatever has become of it since, it may hold what nobody else has
     * @param ids who is on it once it is full
     */
    public record OwnClaim(
            String name, boolean owned, boolean handedOver, boolean used, boolean deleting, RestoredIds ids) {}

    /**
     * A claim with a member's data.
     *
     * @param version the one that ran on it last, where that is known
     * @param survey how far its log goes and who votes by it; asked only where there are several, or learners
     */
    public record Survivor(String claim, Optional<EtcdVersion> version, Errand survey) {}

    /** A claim of a learner. @param survey who votes by its log, if there is one */
    public record Learner(String claim, Errand survey) {}

    /**
     * A claim of a lost cluster that was found empty.
     *
     * @param look what became of looking at it once more
     * @param old whether that was too long ago to go by
     */
    public record Blank(String claim, Errand look, boolean old) {}

    /** Whether the source is what is left of the cluster itself. */
    boolean salvages() {
        return spec.source().claim() != null;
    }

    /** Whether the loss is one of most voters only if learners have no vote, which the survivors' logs have to confirm. */
    boolean countsOnLearners() {
        return !voters.isEmpty();
    }

    String clusterName() {
        return spec.clusterTemplate().clusterName();
    }

    boolean inPlace() {
        return spec.goesInPlace();
    }

    /** The slot of the one member that a restored cluster has at first. */
    PeerName firstPeer() {
        return new PeerName(clusterName(), 0);
    }

    boolean isHandedOver() {
        return claim.filter(OwnClaim::handedOver).isPresent();
    }

    /** Two agents at once would write into one another's files. */
    Optional<Step> awaitedStraggler() {
        return straggler.map(pod -> new Step.Wait(
                "Waiting for pod %s of the attempt before to end; if its node is gone for good, delete it with --force"
                        .formatted(pod)));
    }

    /** Whether the cluster was told to lie down for this very restore. */
    boolean isLaidDown() {
        return cluster.flatMap(ClusterState::restoring).filter(uid::equals).isPresent();
    }

    /** What the restored cluster is like. */
    Optional<EtcdClusterSpec> clusterSpec() {
        return inPlace()
                ? cluster.map(ClusterState::spec)
                : Optional.ofNullable(spec.clusterTemplate().spec());
    }
}
