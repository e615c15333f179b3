package etcdoperator.restore;

import etcdoperator.restore.Errand.Done;
import etcdoperator.restore.Errand.Failed;
import etcdoperator.restore.Errand.NotSent;
import etcdoperator.restore.Errand.Sent;
import etcdoperator.restore.RestoreView.Blank;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Volumes that were empty when etcd last looked, which may be minutes ago: a kubelet waits longer before each start, and
 * a disk may be mounted late. So each is looked at once more, with nobody on it, before its claim is set aside. Where
 * there is data after all, the cluster is judged by that, and calls the recovery off if it is enough.
 */
final class SecondThoughts {
    private final RestoreView view;

    SecondThoughts(RestoreView view) {
        this.view = view;
    }

    Optional<Step> next() {
        return soon().or(this::await).or(this::forget);
    }

    /** What is done whatever else is waited for: if there is data, nothing else has to be. */
    Optional<Step> soon() {
        return look().or(this::correct);
    }

    private Optional<Step> look() {
        return view.blanks().stream()
                .filter(blank -> blank.look() instanceof NotSent)
                .findFirst()
                .map(blank -> new Step.LookAgain(
                        blank.claim(),
                        "Looking once more at claim %s, on which etcd has found nothing".formatted(blank.claim())));
    }

    private Optional<Step> correct() {
        List<String> found = view.blanks().stream()
                .filter(blank -> blank.look() instanceof Done)
                .map(Blank::claim)
                .toList();
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(new Step.Correct(
                        found, "There is data on claim %s after all".formatted(String.join(", ", found))));
    }

    private Optional<Step> await() {
        return view.blanks().stream().flatMap(blank -> await(blank).stream()).findFirst();
    }

    private static Optional<Step> await(Blank blank) {
        return switch (blank.look()) {
            case NotSent() -> Optional.empty();
            case Sent(var why) ->
                Optional.of(new Step.Wait(
                        "Waiting for the agent to have looked once more at claim %s, on which etcd has found nothing%s; if its disk is gone for good, delete the claim"
                                .formatted(blank.claim(), why.map(": "::concat).orElse(""))));
            case Done(var report) -> Optional.empty();
            case Failed(String why, var forGood) when forGood -> Optional.empty();
            case Failed(String why, var forGood) ->
                Optional.of(new Step.Fail("Claim %s could not be looked at once more, and may hold data: %s"
                        .formatted(blank.claim(), why)));
        };
    }

    private Optional<Step> forget() {
        return view.blanks().stream()
                .filter(Blank::old)
                .findFirst()
                .map(blank -> new Step.Forget(
                        blank.claim(),
                        "It is too long ago that nothing was found on claim %s".formatted(blank.claim())));
    }

    /** In words, where there were any. */
    String found() {
        return view.blanks().isEmpty()
                ? ""
                : ", nothing is on %s"
                        .formatted(view.blanks().stream().map(Blank::claim).collect(Collectors.joining(", ")));
    }
}
