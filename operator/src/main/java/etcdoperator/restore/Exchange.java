package etcdoperator.restore;

import etcdoperator.api.EtcdRestoreStatus.RestoreStage;
import etcdoperator.domain.ClusterId;
import etcdoperator.restore.RestoreView.ClusterState;
import etcdoperator.restore.RestoreView.OwnClaim;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Puts the filled claim in the place of those that a cluster has. Until the first of them is set aside, the cluster can
 * be raised again as it was; after that, every step leads forward, whoever is deleted meanwhile, unless it is the filled
 * claim itself: then the others are put back. The cluster is told the
 * id of its new data before it may start, so that it starts on nothing else, whatever old claims a cache still shows.
 */
final class Exchange {
    private final RestoreView view;

    Exchange(RestoreView view) {
        this.view = view;
    }

    Step next() {
        if (view.isHandedOver()) {
            return finish();
        }
        if (view.claim().filter(claim -> !claim.deleting()).isEmpty()) {
            return lostClaim();
        }
        Optional<Step> awaited = lieDown();
        if (awaited.isPresent()) {
            return awaited.get();
        }
        if (view.status().stage() != RestoreStage.SWAPPING) {
            return new SecondThoughts(view).next().orElseGet(() -> view.unconfirmed() ? confirm() : listOld());
        }
        if (!view.status().setAsideClaims().containsAll(view.otherClaims())) {
            return listOld();
        }
        return view.otherClaims().isEmpty()
                ? new Step.HandOver("Claim %s with the backup takes their place".formatted(claim().name()))
                : new Step.SetAside(
                        view.otherClaims(),
                        "Setting aside claims %s, which are kept".formatted(String.join(", ", view.otherClaims())));
    }

    /** With the data of before, all of which is still there. */
    private Step lostClaim() {
        return undo().orElseGet(() ->
                new Step.Fail("Claim %s with the backup was deleted before EtcdCluster %s could start on it%s"
                        .formatted(
                                view.status().claimName(),
                                view.clusterName(),
                                view.asideClaims().isEmpty()
                                        ? "; it has the claims it had: create another EtcdRestore"
                                        : "; an EtcdCluster of that name was made meanwhile, and the claims of the earlier one, %s, stay set aside"
                                                .formatted(String.join(", ", view.asideClaims())))));
    }

    /**
     * Gives the cluster back what was set aside, before it may start again without the claim of the restore. One that
     * was not told to lie down, may run on others by now.
     */
    Optional<Step> undo() {
        if (view.isHandedOver()
                || view.asideClaims().isEmpty()
                || (view.cluster().isPresent() && !view.isLaidDown())) {
            return Optional.empty();
        }
        Optional<ClusterId> former = view.formerId()
                .filter(id -> view.cluster()
                        .flatMap(ClusterState::clusterId)
                        .filter(known -> !known.equals(id.toString()))
                        .isPresent());
        return Optional.of(former.<Step>map(id -> new Step.Remember(
                        id, "EtcdCluster %s has the data of etcd cluster %s again".formatted(view.clusterName(), id)))
                .orElseGet(() -> new Step.PutBack(
                        view.asideClaims(),
                        "Claim %s with the backup is lost; EtcdCluster %s gets claims %s back"
                                .formatted(
                                        view.status().claimName(),
                                        view.clusterName(),
                                        String.join(", ", view.asideClaims())))));
    }

    /** A cluster that is gone has nobody on its claims once its pods have ended. */
    Optional<Step> lieDown() {
        if (view.cluster().isEmpty()) {
            return view.status().stage() != RestoreStage.SWAPPING
                    ? Optional.of(new Step.Fail(
                            "EtcdCluster %s was deleted before it was restored; its claims are as they were"
                                    .formatted(view.clusterName())))
                    : occupied();
        }
        ClusterState cluster = view.cluster().get();
        if (cluster.another() && view.status().stage() != RestoreStage.SWAPPING) {
            return Optional.of(new Step.Fail(
                    "EtcdCluster %s was deleted and made anew since; what was to be brought back was the earlier one's"
                            .formatted(view.clusterName())));
        }
        if (cluster.paused()) {
            return Optional.of(new Step.Wait(
                    "EtcdCluster %s is paused, so that it does not stop its members; set spec.paused to false to go on"
                            .formatted(view.clusterName())));
        }
        if (cluster.restoring().isEmpty()
                && view.rival().isPresent()
                && view.status().stage() != RestoreStage.SWAPPING) {
            return Optional.of(new Step.Wait(
                    "Waiting for EtcdRestore %s, which is not over, to have EtcdCluster %s come up; delete it if its data is not wanted any more"
                            .formatted(view.rival().get(), view.clusterName())));
        }
        if (cluster.restoring().isEmpty()) {
            return Optional.of(
                    new Step.LayDown("Telling EtcdCluster %s to stop its members".formatted(view.clusterName())));
        }
        if (!view.isLaidDown()) {
            return Optional.of(new Step.Wait(
                    "Waiting for another EtcdRestore that restores EtcdCluster %s".formatted(view.clusterName())));
        }
        return cluster.liesFor().equals(Optional.of(view.name()))
                ? occupied()
                : Optional.of(
                        new Step.Wait("Waiting for EtcdCluster %s to stop its members".formatted(view.clusterName())));
    }

    private Optional<Step> occupied() {
        return view.occupant()
                .map(who -> new Step.Wait(
                        "Waiting for %s to end, so that nobody is on the claims; if the node of a pod is gone for good, delete the pod with --force"
                                .formatted(who)));
    }

    /** Only the cluster's own pass can judge that; it deletes the restore if the loss is over. */
    private Step confirm() {
        return view.status().stage() == RestoreStage.CONFIRMING
                ? new Step.Wait(
                        "Waiting for EtcdCluster %s to be judged once more: its claims are set aside only if too many voters are lost still; delete the EtcdRestore to have it start again on the claims it has"
                                .formatted(view.clusterName()))
                : new Step.Enter(
                        RestoreStage.CONFIRMING,
                        "Claim %s holds the data%s; EtcdCluster %s is judged once more before its claims are set aside"
                                .formatted(claim().name(), new SecondThoughts(view).found(), view.clusterName()));
    }

    private Step listOld() {
        List<String> all = Stream.concat(view.status().setAsideClaims().stream(), view.otherClaims().stream())
                .distinct()
                .sorted()
                .toList();
        return new Step.ListOld(
                all,
                all.isEmpty()
                        ? "EtcdCluster %s has no claims to set aside".formatted(view.clusterName())
                        : "Claims %s are about to be set aside".formatted(String.join(", ", all)));
    }

    private Step finish() {
        if (view.cluster().isEmpty()) {
            return new Step.Fail(
                    "EtcdCluster %s was deleted while it was restored; claim %s holds the backup, and an EtcdCluster of that name starts on it"
                            .formatted(view.clusterName(), claim().name()));
        }
        if (!view.isLaidDown()) {
            return new Step.Enter(
                    RestoreStage.STARTING, "EtcdCluster %s starts on the backup".formatted(view.clusterName()));
        }
        if (claim().deleting()) {
            return letGo();
        }
        String id = claim().ids().clusterId().toString();
        boolean remembers = Objects.equals(view.cluster().get().clusterId().orElse(""), id);
        return remembers
                ? new Step.Raise(
                        true, "EtcdCluster %s may start on claim %s".formatted(view.clusterName(), claim().name()))
                : new Step.Remember(
                        claim().ids().clusterId(),
                        "EtcdCluster %s has the data of etcd cluster %s from now on".formatted(view.clusterName(), id));
    }

    /** No pod could start on it; once it is gone, the cluster gets its own claims back. */
    private Step letGo() {
        return view.filling() instanceof Errand.NotSent
                ? new Step.Wait(
                        "Waiting for claim %s with the backup, which somebody has deleted, to be gone; EtcdCluster %s gets claims %s back then"
                                .formatted(claim().name(), view.clusterName(), String.join(", ", view.asideClaims())))
                : new Step.Dismiss("Claim %s with the backup is being deleted; the pod of the restore lets go of it"
                        .formatted(claim().name()));
    }

    private OwnClaim claim() {
        return view.claim().orElseThrow();
    }
}
