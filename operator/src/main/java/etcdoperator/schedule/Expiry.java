package etcdoperator.schedule;

import etcdoperator.calendar.StoredBackup;
import etcdoperator.domain.Clocks;
import etcdoperator.schedule.Plan.Farewell;
import etcdoperator.schedule.Plan.Restraint;
import etcdoperator.schedule.ScheduleView.Made;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How many of the backups whose time is over may go in this pass. A wrong clock, or a mistake in the policy, must not
 * remove most of them before anybody notices. Pure.
 *
 * @param over all that no rule keeps
 */
record Expiry(ScheduleView view, List<Farewell> over) {
    /** In it a share of the stored backups expires, and one for each new backup. */
    static final Duration PERIOD = Duration.ofHours(1);

    private static final int SHARE = 10;
    private static final int NAMED = 3;

    /** Those after them have failed or were deleted meanwhile, or somebody has pinned them. */
    List<String> spare() {
        Set<String> going = over.stream().map(Farewell::name).collect(Collectors.toSet());
        return isHalted()
                ? List.of()
                : view.backups().stream()
                        .filter(made -> made.expired() && !made.deleted() && !going.contains(made.name()))
                        .map(Made::name)
                        .toList();
    }

    /** Those that failed have stored nothing, so that any number of them may go. */
    List<Farewell> expire() {
        return isHalted()
                ? List.of()
                : Stream.concat(
                                over.stream()
                                        .filter(one -> view.isFailed(one.name()))
                                        .filter(this::isNew),
                                stored(this::isNew).limit(allowance()))
                        .toList();
    }

    List<Farewell> remove() {
        return isHalted()
                ? List.of()
                : over.stream().filter(one -> mayGo(view.made(one.name()))).toList();
    }

    Optional<Restraint> restraint() {
        return halted().or(this::limited).or(this::undated);
    }

    private boolean isHalted() {
        return view.clockDoubt().isPresent();
    }

    private Optional<Restraint> halted() {
        return view.clockDoubt()
                .map(doubt -> new Restraint(
                        Restraint.Reason.ClocksDisagree,
                        doubt + "; no backup expires until the operator's clock and the API server's agree: correct the"
                                + " clock of the node that the operator runs on, or of the API server's"));
    }

    private Optional<Restraint> limited() {
        long left = stored(this::isNew).count() - allowance();
        return left <= 0
                ? Optional.empty()
                : Optional.of(new Restraint(
                        Restraint.Reason.Limited,
                        ("%d more %s removed: within an hour at most a tenth of the backups expire, and one for each new"
                                        + " backup. To keep some of them, correct spec.retention or pin them with the"
                                        + " annotation etcd.improbable.io/pinned=true")
                                .formatted(left, left == 1 ? "backup will be" : "backups will be")));
    }

    private Optional<Restraint> undated() {
        List<String> names = view.backups().stream()
                .filter(made -> !made.deleted() && made.stored().outcome() instanceof StoredBackup.Undated)
                .map(Made::name)
                .sorted()
                .toList();
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of(new Restraint(
                        Restraint.Reason.AgeUnknown,
                        ("%s never expire, because their creation time and their completion time contradict each"
                                        + " other: a clock was wrong. Delete those that are not needed any more")
                                .formatted(named(names))));
    }

    private static String named(List<String> names) {
        String some = "EtcdBackups " + String.join(", ", names.subList(0, Math.min(NAMED, names.size())));
        return names.size() > NAMED ? "%s and %d more".formatted(some, names.size() - NAMED) : some;
    }

    /** The oldest first. */
    private Stream<Farewell> stored(Predicate<Farewell> wanted) {
        return over.stream()
                .filter(one -> !view.isFailed(one.name()))
                .filter(wanted)
                .sorted(Comparator.comparing((Farewell one) ->
                                view.made(one.name()).completed().orElse(Instant.MAX))
                        .thenComparing(Farewell::name));
    }

    private boolean isNew(Farewell one) {
        return !view.made(one.name()).expired();
    }

    /** What was allowed before and has not gone yet counts, too. */
    private long allowance() {
        Instant begin = view.now().minus(PERIOD);
        // One that lies ahead was written by a clock that was wrong.
        Optional<Instant> last =
                view.lastExpiry().filter(time -> !time.isAfter(view.now().plus(Clocks.BOUND)));
        boolean due = last.filter(time -> time.isAfter(begin)).isEmpty();
        List<Instant> completed = view.backups().stream()
                .filter(made -> !made.deleted())
                .flatMap(made -> made.completed().stream())
                .toList();
        Instant since = due ? begin : last.orElse(begin);
        long replaced = completed.stream().filter(time -> time.isAfter(since)).count();
        long share = due ? Math.max(1, completed.size() / SHARE) : 0;
        long going = stored(one -> !isNew(one)).count();
        return Math.max(0, replaced + share - going);
    }

    /** What is stored must be known to go with it, or deleting the object would leave it behind. */
    private static boolean mayGo(Made made) {
        return made.expired() && (made.held() || made.stored().outcome() instanceof StoredBackup.Failed);
    }
}
