package etcdoperator.restore;

import etcdoperator.restore.Errand.Done;
import etcdoperator.restore.Errand.Failed;
import etcdoperator.restore.Errand.NotSent;
import etcdoperator.restore.Errand.Sent;
import etcdoperator.restore.RestoreView.Blank;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Volumes of which etcd alone has said that there is nothing on them to start on. A kubelet waits longer before each
 * start, and a disk may be mounted late, so one that was empty is looked at once more, with nobody on it. That data is
 * corrupt is read from a log, and a disk may fail for a moment: an agent reads such a volume twice, some time apart. Only
 * then is its claim set aside. Where there is data after all, the cluster is judged by that, and calls the recovery off
 * if it is enough.
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
        return view.blanks().stream().flatMap(blank -> look(blank).stream()).findFirst();
    }

    private static Optional<Step> look(Blank blank) {
        if (blank.first().filter(NotSent.class::isInstance).isPresent()) {
            return Optional.of(new Step.ReadDamaged(
                    blank.claim(), false, "Reading claim %s, which etcd calls corrupt".formatted(blank.claim())));
        }
        if (!(blank.look() instanceof NotSent)) {
            return Optional.empty();
        }
        if (!blank.isDamaged()) {
            return Optional.of(new Step.LookAgain(
                    blank.claim(),
                    "Looking once more at claim %s, on which etcd has found nothing".formatted(blank.claim())));
        }
        return blank.first()
                .filter(first -> isUnusable(first) && blank.apart())
                .map(first -> new Step.ReadDamaged(
                        blank.claim(),
                        true,
                        "Reading claim %s, which etcd calls corrupt, for the second time".formatted(blank.claim())));
    }

    private Optional<Step> correct() {
        List<String> found = view.blanks().stream()
                .filter(blank -> looks(blank).anyMatch(Done.class::isInstance))
                .map(Blank::claim)
                .toList();
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(new Step.Correct(
                        found, "There is data on claim %s after all".formatted(String.join(", ", found))));
    }

    private Optional<Step> await() {
        return view.blanks().stream()
                .flatMap(blank -> looks(blank)
                        .flatMap(look -> await(blank, look).stream())
                        .findFirst()
                        .or(() -> apart(blank))
                        .stream())
                .findFirst();
    }

    private static Optional<Step> await(Blank blank, Errand look) {
        return switch (look) {
            case NotSent() -> Optional.empty();
            case Sent(var why) -> Optional.of(new Step.Wait(waiting(blank) + why.map(": "::concat).orElse("")
                    + "; if its disk is gone for good, delete the claim"));
            case Done(var report) -> Optional.empty();
            case Failed(String why, var forGood) when forGood -> Optional.empty();
            case Failed(String why, var forGood) ->
                Optional.of(new Step.Fail("Claim %s could not be looked at once more, and may hold data: %s"
                        .formatted(blank.claim(), why)));
        };
    }

    private static String waiting(Blank blank) {
        return (blank.isDamaged()
                        ? "Waiting for the agent to have read claim %s, which etcd calls corrupt"
                        : "Waiting for the agent to have looked once more at claim %s, on which etcd has found nothing")
                .formatted(blank.claim());
    }

    private static Optional<Step> apart(Blank blank) {
        return blank.first()
                .filter(first -> isUnusable(first) && blank.look() instanceof NotSent && !blank.apart())
                .map(first -> new Step.Wait(
                        "An agent has found claim %s damaged, as etcd has; it is read once more half a minute later, because a disk may fail for a moment"
                                .formatted(blank.claim())));
    }

    private Optional<Step> forget() {
        return view.blanks().stream()
                .filter(Blank::old)
                .findFirst()
                .map(blank -> new Step.Forget(
                        blank.claim(),
                        "It is too long ago that nothing was found on claim %s".formatted(blank.claim())));
    }

    private static Stream<Errand> looks(Blank blank) {
        return Stream.concat(blank.first().stream(), Stream.of(blank.look()));
    }

    private static boolean isUnusable(Errand look) {
        return look instanceof Failed(String why, boolean forGood) && forGood;
    }

    /** In words, where there were any. */
    String found() {
        return view.blanks().isEmpty()
                ? ""
                : ", nothing is on %s"
                        .formatted(view.blanks().stream().map(Blank::claim).collect(Collectors.joining(", ")));
    }
}
