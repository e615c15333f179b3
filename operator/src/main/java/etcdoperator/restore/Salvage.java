package etcdoperator.restore;

import etcdoperator.agentreport.AgentReport;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A restore whose source is what is left of the cluster itself: the claims of members that survive the loss of the
 * majority. They can be read once nobody is on them, so the cluster lies down first; until its claims are set aside it
 * can be raised on them again as it was.
 */
final class Salvage {
    private final RestoreView view;

    Salvage(RestoreView view) {
        this.view = view;
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
            case NotSent() -> survey().orElseGet(this::send);
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

    /** Only where there is a choice. One that cannot be read now is waited for: it may be the one that goes furthest. */
    private Optional<Step> survey() {
        if (view.survivors().size() == 1) {
            return Optional.empty();
        }
        return view.survivors().stream()
                .flatMap(survivor -> send(survivor).stream())
                .findFirst()
                .or(() -> view.survivors().stream()
                        .flatMap(survivor -> await(survivor).stream())
                        .findFirst())
                .or(() -> furthest().isPresent() ? Optional.empty() : Optional.of(new Step.Fail(whyUnusable())));
    }

    private static Optional<Step> send(Survivor survivor) {
        return survivor.survey() instanceof NotSent
                ? Optional.of(new Step.Survey(
                        survivor.claim(), "Looking how far the log on claim %s goes".formatted(survivor.claim())))
                : Optional.empty();
    }

    private static Optional<Step> await(Survivor survivor) {
        return switch (survivor.survey()) {
            case Sent(var why) ->
                Optional.of(new Step.Wait("Waiting for the agent to have looked at claim %s%s"
                        .formatted(survivor.claim(), why.map(": "::concat).orElse(""))));
            case Done(var report)
            when report.isEmpty() ->
                Optional.of(new Step.Dismiss("What was found on claim %s is lost with its pod; it is looked at anew"
                        .formatted(survivor.claim())));
            case Done(var report) -> Optional.empty();
            case Failed(String why, var forGood) when forGood -> Optional.empty();
            case Failed(String why, var forGood) ->
                Optional.of(new Step.Fail(
                        "Claim %s could not be looked at, and may be the one that goes furthest: %s; restore from one claim alone, if it is not to be waited for"
                                .formatted(survivor.claim(), why)));
            case NotSent() -> Optional.empty();
        };
    }

    private Optional<String> furthest() {
        if (view.survivors().size() == 1) {
            return Optional.of(view.survivors().getFirst().claim());
        }
        Comparator<Survivor> byLog =
                Comparator.comparing(survivor -> report(survivor).orElseThrow(), AgentReport.BY_LOG);
        return view.survivors().stream()
                .filter(survivor -> report(survivor).isPresent())
                .max(byLog)
                .map(Survivor::claim);
    }

    private static Optional<AgentReport> report(Survivor survivor) {
        return survivor.survey() instanceof Done(Optional<AgentReport> report) ? report : Optional.empty();
    }

    private String whyUnusable() {
        return view.survivors().stream()
                .flatMap(survivor ->
                        survivor.survey() instanceof Failed(String why, var forGood) ? Stream.of(why) : Stream.empty())
                .collect(Collectors.joining("; "));
    }

    private Step send() {
        String survivor = furthest().orElseThrow();
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
