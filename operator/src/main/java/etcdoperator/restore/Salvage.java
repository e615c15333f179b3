package etcdoperator.restore;

import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.EtcdRestoreStatus.ChosenBackup;
import etcdoperator.api.EtcdRestoreStatus.RestoreStage;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.restore.Errand.Done;
import etcdoperator.restore.Errand.Failed;
import etcdoperator.restore.Errand.NotSent;
import etcdoperator.restore.Errand.Sent;
import etcdoperator.restore.RestoreView.Survivor;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A restore whose source is what is left of the cluster itself: the claims of members that survive the loss of the
 * majority. They can be read once nobody is on them, so the cluster lies down first; until its claims are set aside it
 * can be raised on them again as it was.
 */
final class Salvage {
    private final RestoreView view;
    private final Surveys surveys;

    Salvage(RestoreView view) {
        this.view = view;
        this.surveys = new Surveys(view);
    }

    Step choose() {
        if (view.survivors().isEmpty()) {
            return gone();
        }
        Optional<EtcdVersion> asked =
                view.clusterSpec().map(EtcdClusterSpec::version).map(EtcdVersion::parse);
        for (Survivor survivor : view.survivors()) {
            if (Fitting.of(asked, survivor.version()) instanceof Fitting.None(String why)) {
                return new Step.Fail("Claim %s: %s".formatted(survivor.claim(), why));
            }
        }
        // Of the one whose data is taken, that is not known yet.
        Optional<EtcdVersion> written = view.survivors().stream()
                .flatMap(survivor -> survivor.version().stream())
                .max(Comparator.naturalOrder());
        return new Step.Settle(
                new ChosenBackup(
                        null,
                        null,
                        null,
                        null,
                        null,
                        written.map(EtcdVersion::toString).orElse(null),
                        left()),
                asked.orElseThrow(),
                view.firstPeer().claimWith(view.uid()),
                Optional.empty(),
                Optional.empty(),
                "EtcdCluster %s goes on with what is on claim %s"
                        .formatted(view.clusterName(), String.join(" or ", left())));
    }

    Step lieDown() {
        if (view.survivors().isEmpty()) {
            return gone();
        }
        if (!view.held()) {
            return new Step.Hold("The EtcdRestore stays until the cluster is in order again");
        }
        return new Exchange(view)
                .lieDown()
                .orElseGet(() -> new Step.Enter(
                        RestoreStage.FILLING,
                        "Nobody is on the claims of EtcdCluster %s, and %s can be read"
                                .formatted(view.clusterName(), String.join(", ", left()))));
    }

    /** @param makeClaim what is done where there is nothing to fill yet */
    Step fill(Supplier<Step> makeClaim) {
        if (view.filling() instanceof Failed(String why, var forGood)) {
            return new Step.Fail(why);
        }
        if (view.survivors().isEmpty()) {
            return gone();
        }
        if (view.claim().isEmpty()) {
            return makeClaim.get();
        }
        return switch (view.filling()) {
            case NotSent() -> surveys.next().orElseGet(this::send);
            case Sent(var why)
            when left().containsAll(view.readClaims()) ->
                new Step.Wait(why.orElse("Waiting for the data of claim %s to be put on claim %s"
                        .formatted(
                                String.join(", ", view.readClaims()),
                                view.status().claimName())));
            case Sent(var why) ->
                // What was filled from it may be on a node, or in a zone, where no other one can be read.
                new Step.Fail("Claim %s was gone before it had been read; another EtcdRestore looks at what is left"
                        .formatted(String.join(", ", view.readClaims())));
            case Failed(String why, var forGood) -> new Step.Fail(why);
            case Done(var report) -> new Step.Wait("The data is on the claim");
        };
    }

    private Step send() {
        String survivor = surveys.furthest().orElseThrow();
        return view.awaitedStraggler()
                .orElseGet(() -> new Step.Fill(
                        Optional.of(survivor),
                        "Putting what is on claim %s on claim %s"
                                .formatted(survivor, view.status().claimName())));
    }

    /** Before the cluster starts again, nobody else may read the claims that it starts on. */
    static Optional<Step> freed(RestoreView view) {
        return view.reading() && !view.isHandedOver()
                ? Optional.of(new Step.Dismiss("Nobody else is to read the claims that EtcdCluster %s starts on"
                        .formatted(view.clusterName())))
                : Optional.empty();
    }

    private Step gone() {
        return new Step.Fail(
                "Claim %s is gone, being deleted or lost with its node, or is none of EtcdCluster %s, so there is nothing to go on with; name a claim that it has, or restore a backup"
                        .formatted(String.join(" and ", view.spec().source().survivors()), view.clusterName()));
    }

    private List<String> left() {
        return view.survivors().stream().map(Survivor::claim).toList();
    }
}
