package etcdoperator.restore;

import etcdoperator.agentreport.AgentReport;
import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.EtcdRestoreStatus.ChosenBackup;
import etcdoperator.api.EtcdRestoreStatus.RestorePhase;
import etcdoperator.api.EtcdRestoreStatus.RestoreStage;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.Scheme;
import etcdoperator.restore.Errand.Done;
import etcdoperator.restore.Errand.Failed;
import etcdoperator.restore.Errand.NotSent;
import etcdoperator.restore.Errand.Sent;
import etcdoperator.restore.RestoreView.ClusterState;
import etcdoperator.restore.RestoreView.OwnClaim;
import java.util.Objects;
import java.util.Optional;

/** What to do next about a restore. Pure. */
final class Planner {
    private final RestoreView view;

    private Planner(RestoreView view) {
        this.view = view;
    }

    static Step next(RestoreView view) {
        var planner = new Planner(view);
        if (view.deleted()) {
            return planner.leave();
        }
        return view.status().hasEnded() ? planner.tidy() : planner.restore();
    }

    private Step restore() {
        return switch (view.status().stage()) {
            case null ->
                Target.refusal(view)
                        .orElseGet(() -> view.salvages() ? new Salvage(view).choose() : Sources.choose(view));
            case INSPECTING -> Sources.forbidden(view).orElseGet(this::inspect);
            case FILLING -> view.salvages() ? salvage() : fill();
            case LYING_DOWN -> view.salvages() ? new Salvage(view).lieDown() : new Exchange(view).next();
            case CONFIRMING, SWAPPING -> new Exchange(view).next();
            case STARTING -> start();
        };
    }

    private Step inspect() {
        return switch (view.inspection()) {
            case NotSent() -> new Step.Inspect("Looking at the backup");
            case Sent(var why) -> new Step.Wait(why.orElse("Waiting for the agent to have looked at the backup"));
            case Failed(String why, var forGood) -> new Step.Fail(why);
            case Done(var report)
            when report.isPresent() -> Target.refusal(view).orElseGet(() -> settle(report.get()));
            case Done(var lost) ->
                new Step.Fail(
                        "What the agent found is lost with its pod; create another EtcdRestore to look at the backup again");
        };
    }

    private Step settle(AgentReport report) {
        ChosenBackup chosen = Objects.requireNonNull(view.status().chosen());
        Optional<String> recorded =
                Optional.ofNullable(report.etcdVersion()).or(() -> Optional.ofNullable(chosen.etcdVersion()));
        var known = new ChosenBackup(
                chosen.backup(),
                chosen.location(),
                chosen.encryption(),
                chosen.serviceAccountName(),
                Optional.ofNullable(chosen.sha256()).orElse(report.sha256()),
                recorded.orElse(null),
                chosen.claims());
        Optional<EtcdVersion> asked =
                view.clusterSpec().map(EtcdClusterSpec::version).map(EtcdVersion::parse);
        return switch (Fitting.of(asked, recorded.map(EtcdVersion::parse))) {
            case Fitting.None(String why) -> new Step.Fail(why);
            case Fitting.With(EtcdVersion version) ->
                new Step.Settle(
                        known,
                        version,
                        view.inPlace()
                                ? view.firstPeer().claimWith(view.uid())
                                : view.firstPeer().toString(),
                        Optional.ofNullable(report.revision()),
                        Optional.ofNullable(report.time()),
                        "The backup is there and is restored with etcd " + version);
        };
    }

    private Step fill() {
        Optional<Step> lost = lostClaim();
        if (lost.isPresent()) {
            return lost.get();
        }
        if (view.claim().isEmpty()) {
            return Target.refusal(view).orElseGet(this::makeClaim);
        }
        if (view.claim().filter(OwnClaim::used).isPresent()) {
            // Even without its Job, which anybody may delete: to fill it again would be to empty it first.
            return goOn();
        }
        Optional<Step> forbidden = view.filling() instanceof Done ? Optional.empty() : Sources.forbidden(view);
        if (forbidden.isPresent()) {
            return forbidden.get();
        }
        return switch (view.filling()) {
            case NotSent() ->
                view.awaitedStraggler()
                        .orElseGet(() -> new Step.Fill(Optional.empty(), "Putting the backup on claim " + claimName()));
            case Sent(var why) -> new Step.Wait(why.orElse("Waiting for the backup to be put on claim " + claimName()));
            case Failed(String why, var forGood) -> new Step.Fail(why);
            case Done(var report) -> view.inPlace() ? goInPlace() : goOn();
        };
    }

    private Step salvage() {
        Optional<Step> awaited =
                lostClaim().or(() -> new Exchange(view).lieDown()).or(() -> new SecondThoughts(view).soon());
        if (awaited.isPresent()) {
            return awaited.get();
        }
        if (view.filling() instanceof Done) {
            return view.claim().filter(OwnClaim::owned).isPresent()
                    ? new Step.Disown("Claim %s holds the data".formatted(claimName()))
                    : new Exchange(view).next();
        }
        return new Salvage(view).fill(this::makeClaim);
    }

    /** Once filling has begun, a claim that is not there was deleted, and another one would be empty. */
    private Optional<Step> lostClaim() {
        boolean begun = !(view.filling() instanceof NotSent);
        return view.claim().filter(OwnClaim::deleting).isPresent()
                        || (begun && view.claim().isEmpty())
                ? Optional.of(
                        new Step.Fail("Claim %s was deleted while the backup was put on it; create another EtcdRestore"
                                .formatted(claimName())))
                : Optional.empty();
    }

    private Step makeClaim() {
        Scheme scheme = view.clusterSpec().filter(this::speaksTls).isPresent() ? Scheme.HTTPS : Scheme.HTTP;
        return new Step.MakeClaim(
                claimName(),
                EtcdVersion.parse(Objects.requireNonNull(view.status().version())),
                scheme,
                "Making claim %s for the backup".formatted(claimName()));
    }

    /** As the cluster will have it when it is made, which its claim must have been made for. */
    private boolean speaksTls(EtcdClusterSpec spec) {
        return spec.tls() == null
                ? view.tlsByDefault() && !view.inPlace()
                : spec.tls().peer() != null;
    }

    /** The claim first: a cluster that is made before it has it would be founded empty. */
    private Step goOn() {
        if (!view.isHandedOver()) {
            return Target.refusal(view)
                    .orElseGet(() -> new Step.HandOver("Claim %s holds the backup and is the first of EtcdCluster %s"
                            .formatted(claimName(), view.clusterName())));
        }
        if (view.cluster().isEmpty()) {
            return new Step.MakeCluster(
                    "Creating EtcdCluster %s on claim %s".formatted(view.clusterName(), claimName()));
        }
        return new Step.Enter(
                RestoreStage.STARTING, "EtcdCluster %s starts on the backup".formatted(view.clusterName()));
    }

    private Step goInPlace() {
        if (!view.held()) {
            return new Step.Hold("The EtcdRestore stays until the cluster is in order again");
        }
        return view.claim().filter(OwnClaim::owned).isPresent()
                ? new Step.Disown("Claim %s holds the backup".formatted(claimName()))
                : new Step.Enter(
                        RestoreStage.LYING_DOWN,
                        "The backup is on claim %s; EtcdCluster %s is to stop its members"
                                .formatted(claimName(), view.clusterName()));
    }

    private Step start() {
        if (view.held()) {
            return new Step.LetGo("The cluster has its data");
        }
        if (view.cluster().isEmpty()) {
            return new Step.Fail(
                    "EtcdCluster %s was deleted before it had come up; claim %s holds the backup, and an EtcdCluster of that name starts on it"
                            .formatted(view.clusterName(), claimName()));
        }
        if (view.claim().filter(claim -> claim.used() && !claim.handedOver()).isPresent()) {
            return new Step.Fail(
                    "Another EtcdRestore gave EtcdCluster %s other data before it had come up; claim %s, which holds this backup, is set aside"
                            .formatted(view.clusterName(), claimName()));
        }
        ClusterState cluster = view.cluster().get();
        if (cluster.spec().replicas() == 0) {
            return new Step.Complete(
                    "EtcdCluster %s is asleep and wakes up with the backup's data".formatted(view.clusterName()));
        }
        boolean itself =
                view.claim().map(claim -> claim.ids().clusterId().toString()).equals(cluster.clusterId());
        return cluster.available() && itself
                ? new Step.Complete("EtcdCluster %s has the backup's data".formatted(view.clusterName()))
                : new Step.Wait(
                        "Waiting for EtcdCluster %s to come up: %s".formatted(view.clusterName(), cluster.says()));
    }

    /** What a finished restore leaves to do. */
    private Step tidy() {
        if (view.isLaidDown()) {
            return Salvage.freed(view)
                    .or(() -> new Exchange(view).undo())
                    .orElseGet(() -> new Step.Raise(view.isHandedOver(), "The cluster may start again"));
        }
        if (!(view.filling() instanceof NotSent) || view.reading() || view.inspection() instanceof Sent) {
            return new Step.Dismiss("The pod of the restore goes, so that it holds no claim");
        }
        Optional<Step> unused = view.status().phase() == RestorePhase.FAILED ? discard() : Optional.empty();
        return unused.orElseGet(() -> view.held() ? new Step.LetGo("The restore is over") : new Step.Rest());
    }

    /** Nobody has run on it, and all that is on it is in the backup. */
    private Optional<Step> discard() {
        return view.claim()
                .filter(claim -> !claim.used() && !claim.deleting())
                .map(claim -> new Step.Discard(
                        claim.name(), "Removing claim %s, which no cluster has had".formatted(claim.name())));
    }

    /** Before the first claim was touched all stays as it was; after that only the way forward leads to order. */
    private Step leave() {
        if (!view.held()) {
            return new Step.Rest();
        }
        if (view.status().stage() == RestoreStage.SWAPPING && !view.status().hasEnded()) {
            return new Exchange(view).next();
        }
        if (view.isLaidDown()) {
            return Salvage.freed(view)
                    .or(() -> new Exchange(view).undo())
                    .orElseGet(() -> new Step.Raise(
                            view.isHandedOver(),
                            "The EtcdRestore is deleted; the cluster starts again on the claims it has"));
        }
        return discard().orElseGet(() -> new Step.LetGo("The EtcdRestore is deleted"));
    }

    private String claimName() {
        return Objects.requireNonNull(view.status().claimName());
    }
}
