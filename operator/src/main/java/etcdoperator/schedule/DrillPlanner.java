package etcdoperator.schedule;

import etcdoperator.api.backup.DrillStatus.DrillResult;
import etcdoperator.calendar.DueRun;
import etcdoperator.restore.Errand;
import etcdoperator.schedule.DrillPlan.Step;
import etcdoperator.schedule.DrillView.Candidate;
import etcdoperator.schedule.DrillView.Recorded;
import etcdoperator.schedule.DrillView.Trial;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** Which backup to try, and what came of it. One at a time. Pure. */
final class DrillPlanner {
    private final DrillView view;
    private final Optional<Order> run;
    private final Optional<Order> wish;

    /** What is asked for: by the calendar, or by somebody. */
    private record Order(String job, String why, Optional<Instant> settled, Optional<String> granted) {}

    private DrillPlanner(DrillView view) {
        this.view = view;
        String prefix = view.schedule() + "-drill";
        this.run = view.due()
                .filter(DueRun.Start.class::isInstance)
                .map(DueRun.Start.class::cast)
                .map(start -> new Order(
                        BackupNames.ofRun(prefix, start.scheduled()),
                        start.reason(),
                        start.settled(),
                        Optional.empty()));
        this.wish = view.wish()
                .map(wanted -> new Order(
                        BackupNames.ofWish(prefix, view.formerWish(), wanted),
                        "a drill is wanted now",
                        Optional.empty(),
                        Optional.of(wanted)));
    }

    static DrillPlan plan(DrillView view) {
        return new DrillPlanner(view).plan();
    }

    private DrillPlan plan() {
        Step step = step();
        Optional<Order> answered = job(step)
                .flatMap(job -> Stream.of(run, wish)
                        .flatMap(Optional::stream)
                        .filter(order -> order.job().equals(job))
                        .findFirst());
        return new DrillPlan(step, answered.flatMap(Order::settled).or(this::passed), answered.flatMap(Order::granted));
    }

    /** A Job that was made before a crash answers what it was made for, by its name. */
    private static Optional<String> job(Step step) {
        return switch (step) {
            case Step.Start start -> Optional.of(start.job());
            case Step.Follow follow -> Optional.of(follow.job());
            case Step.Pass pass -> Optional.of(pass.job());
            case Step.Fail fail -> Optional.of(fail.job());
            case Step.Rest _, Step.Held _, Step.Dismiss _ -> Optional.empty();
        };
    }

    /** What came due while suspended. */
    private Optional<Instant> passed() {
        return run.isPresent() ? Optional.empty() : view.due().flatMap(DueRun::settled);
    }

    private Step step() {
        Optional<Trial> current = view.current();
        if (current.isPresent()) {
            return judged(current.get());
        }
        Optional<Recorded> lost = view.recorded().filter(known -> known.result() == DrillResult.RUNNING);
        if (lost.isPresent()) {
            return missing(lost.get());
        }
        if (view.misread().isPresent()) {
            return new Step.Held("InvalidSpec", view.misread().get());
        }
        return next(run.or(() -> wish));
    }

    /** A Job that is not to be seen was deleted, unless it was made just now. */
    private static Step missing(Recorded drill) {
        return drill.fresh()
                ? new Step.Follow(drill.job(), drill.backup(), drill.since(), Optional.empty())
                : new Step.Fail(
                        drill.job(),
                        drill.backup(),
                        Optional.empty(),
                        "its Job was deleted before it ended; ask for another one with the annotation drill-now");
    }

    /** The Job of one that has failed stays to be read, until the next one begins. */
    private Step next(Optional<Order> order) {
        Optional<Trial> leftover = view.leftover();
        boolean passed = view.recorded()
                .filter(known -> known.result() == DrillResult.PASSED)
                .isPresent();
        if (leftover.isPresent()
                && (passed || order.isPresent() || leftover.get().running())) {
            return new Step.Dismiss(leftover.get().job());
        }
        return order.map(this::begun).orElseGet(Step.Rest::new);
    }

    private Step begun(Order order) {
        if (view.newest().isEmpty()) {
            return new Step.Held(
                    "NoBackup",
                    "A drill is due, and this schedule has no completed backup yet; it begins with the first one");
        }
        Candidate newest = view.newest().get();
        return newest.obstacle()
                .<Step>map(why -> new Step.Fail(order.job(), newest.backup(), Optional.empty(), why))
                .orElseGet(() -> new Step.Start(order.job(), newest.backup(), order.why()));
    }

    private static Step judged(Trial trial) {
        Optional<Instant> since = Optional.of(trial.since());
        return switch (trial.errand()) {
            case Errand.NotSent() -> new Step.Follow(trial.job(), trial.backup(), trial.since(), Optional.empty());
            case Errand.Sent(var why) -> new Step.Follow(trial.job(), trial.backup(), trial.since(), why);
            case Errand.Failed(var why, var forGood) -> new Step.Fail(trial.job(), trial.backup(), since, why);
            case Errand.Done(var report) ->
                report.<Step>map(said -> new Step.Pass(trial.job(), trial.backup(), since, said))
                        .orElseGet(() -> new Step.Fail(
                                trial.job(),
                                trial.backup(),
                                since,
                                "its pod was deleted before anybody could read what it found; see who deletes these"
                                        + " pods, and ask for another drill with the annotation drill-now"));
        };
    }
}
