package etcdoperator.restore;

import etcdoperator.agentreport.AgentReport;
import etcdoperator.restore.Errand.Done;
import etcdoperator.restore.Errand.Failed;
import etcdoperator.restore.Errand.NotSent;
import etcdoperator.restore.Errand.Sent;
import etcdoperator.restore.RestoreView.Learner;
import etcdoperator.restore.RestoreView.Survivor;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What stopped members' disks say before one of them is read: how far their logs go, where there are several, and which
 * members vote, where learners count as having no vote. A promotion is in the log of a quorum before it counts, and so in
 * that of a survivor; the learner's own log may have it, but proves nothing without it.
 */
final class Surveys {
    private final RestoreView view;

    Surveys(RestoreView view) {
        this.view = view;
    }

    /** Empty once all is known. A disk that cannot be read now is waited for: its log may be the one that decides. */
    Optional<Step> next() {
        if (view.survivors().size() == 1 && !view.countsOnLearners()) {
            return Optional.empty();
        }
        return first(
                this::unread,
                () -> view.survivors().stream()
                        .flatMap(survivor -> send(survivor).stream())
                        .findFirst(),
                () -> view.learners().stream()
                        .flatMap(learner -> send(learner).stream())
                        .findFirst(),
                () -> view.survivors().stream()
                        .flatMap(survivor -> await(survivor).stream())
                        .findFirst(),
                () -> view.learners().stream()
                        .flatMap(learner -> await(learner).stream())
                        .findFirst(),
                this::votes,
                () -> furthest().isPresent() ? Optional.empty() : Optional.of(new Step.Fail(whyUnusable())));
    }

    @SafeVarargs
    private static Optional<Step> first(Supplier<Optional<Step>>... candidates) {
        return Stream.of(candidates)
                .flatMap(candidate -> candidate.get().stream())
                .findFirst();
    }

    /** The one whose data is taken. */
    Optional<String> furthest() {
        if (view.survivors().size() == 1) {
            return Optional.of(view.survivors().getFirst().claim());
        }
        Comparator<Survivor> byLog =
                Comparator.comparing(survivor -> report(survivor.survey()).orElseThrow(), AgentReport.BY_LOG);
        return view.survivors().stream()
                .filter(survivor -> report(survivor.survey()).isPresent())
                .max(byLog)
                .map(Survivor::claim);
    }

    /** Of the voters that were left when this began, some may have been the only ones with a promotion in their logs. */
    private Optional<Step> unread() {
        List<String> left = view.survivors().stream().map(Survivor::claim).toList();
        return view.spec().source().survivors().stream()
                .filter(claim -> view.countsOnLearners() && !left.contains(claim))
                .findFirst()
                .map(claim -> new Step.Fail(
                        "Claim %s was gone before it was known whether %s; another EtcdRestore looks at what is left"
                                .formatted(claim, question())));
    }

    private static Optional<Step> send(Survivor survivor) {
        return survivor.survey() instanceof NotSent
                ? Optional.of(new Step.Survey(
                        survivor.claim(), "Looking how far the log on claim %s goes".formatted(survivor.claim())))
                : Optional.empty();
    }

    private static Optional<Step> send(Learner learner) {
        return learner.survey() instanceof NotSent
                ? Optional.of(new Step.SurveyVoters(
                        learner.claim(),
                        "Looking which members vote by the log on claim %s".formatted(learner.claim())))
                : Optional.empty();
    }

    private Optional<Step> await(Survivor survivor) {
        return switch (survivor.survey()) {
            case Sent(var why) -> Optional.of(waiting(survivor.claim(), why));
            case Done(var report) ->
                lost(survivor.claim(), report.filter(said -> !view.countsOnLearners() || said.voters() != null));
            case Failed(String why, var forGood)
            when view.countsOnLearners() ->
                Optional.of(new Step.Fail(
                        "Claim %s could not be looked at, and its log tells whether %s: %s; if that is known otherwise, restore from one claim alone"
                                .formatted(survivor.claim(), question(), why)));
            case Failed(String why, var forGood) when forGood -> Optional.empty();
            case Failed(String why, var forGood) ->
                Optional.of(new Step.Fail(
                        "Claim %s could not be looked at, and may be the one that goes furthest: %s; restore from one claim alone, if it is not to be waited for"
                                .formatted(survivor.claim(), why)));
            case NotSent() -> Optional.empty();
        };
    }

    private static Optional<Step> await(Learner learner) {
        return switch (learner.survey()) {
            case Sent(var why) ->
                Optional.of(waiting(
                        learner.claim(),
                        Optional.of(why.map(said -> said + "; ").orElse("")
                                + "if the disk of this learner is gone for good, delete the claim")));
            case Done(var report) -> lost(learner.claim(), report);
            case Failed(String why, var forGood) -> Optional.empty();
            case NotSent() -> Optional.empty();
        };
    }

    private static Step waiting(String claim, Optional<String> why) {
        return new Step.Wait("Waiting for the agent to have looked at claim %s%s"
                .formatted(claim, why.map(": "::concat).orElse("")));
    }

    private static Optional<Step> lost(String claim, Optional<AgentReport> report) {
        return report.isPresent()
                ? Optional.empty()
                : Optional.of(new Step.Dismiss(
                        "What was found on claim %s is lost with its pod; it is looked at anew".formatted(claim)));
    }

    /** Once it is noted, the cluster ends this restore. */
    private Optional<Step> votes() {
        List<String> found = Stream.concat(
                        view.survivors().stream().map(Survivor::survey),
                        view.learners().stream().map(Learner::survey))
                .flatMap(survey -> report(survey).stream())
                .flatMap(report -> Stream.ofNullable(report.voters()).flatMap(List::stream))
                .filter(voter -> view.countsOnLearners() && !view.voters().contains(voter))
                .distinct()
                .toList();
        if (found.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                view.votersFound().containsAll(found)
                        ? new Step.Wait(
                                "Waiting for EtcdCluster %s to be judged again: member %s votes, by the log of a member"
                                        .formatted(view.clusterName(), String.join(", ", found)))
                        : new Step.NoteVoters(
                                found,
                                "Member %s votes, by the log of a member, and counted as having no vote"
                                        .formatted(String.join(", ", found))));
    }

    private String question() {
        return view.learners().isEmpty()
                ? "a learner has a vote"
                : "the learner on claim %s has a vote"
                        .formatted(view.learners().stream().map(Learner::claim).collect(Collectors.joining(", ")));
    }

    private static Optional<AgentReport> report(Errand survey) {
        return survey instanceof Done(Optional<AgentReport> report) ? report : Optional.empty();
    }

    private String whyUnusable() {
        return view.survivors().stream()
                .flatMap(survivor ->
                        survivor.survey() instanceof Failed(String why, var forGood) ? Stream.of(why) : Stream.empty())
                .collect(Collectors.joining("; "));
    }
}
