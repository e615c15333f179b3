package etcdoperator.schedule;

import etcdoperator.calendar.DueRun;
import etcdoperator.calendar.Retention.Delete;
import etcdoperator.calendar.Retention.Keep;
import etcdoperator.calendar.Retention.Verdict;
import etcdoperator.calendar.StoredBackup;
import etcdoperator.schedule.Plan.Farewell;
import etcdoperator.schedule.Plan.Start;
import etcdoperator.schedule.ScheduleView.Made;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which backup to take, and which to let go. Pure. */
final class Planner {
    /** Enough to read what is wrong: the next ones would only say it again. */
    static final int FAILED_KEPT = 3;

    private final ScheduleView view;

    private Planner(ScheduleView view) {
        this.view = view;
    }

    static Plan plan(ScheduleView view) {
        return new Planner(view).plan();
    }

    /** What is asked for. @param settled a run of the calendar @param granted a wish */
    private record Order(String name, String reason, Optional<Instant> settled, Optional<String> granted) {}

    private Plan plan() {
        List<Farewell> farewells = farewells();
        Optional<Order> order = order();
        boolean made = order.filter(one -> view.isMade(one.name())).isPresent();
        boolean occupied = order.isPresent() && !made && !view.active().isEmpty();
        return switch (view.policy()) {
            case ALLOW -> plan(order, made, List.of(), Optional.empty(), farewells);
            case REPLACE -> plan(order, made, occupied ? view.active() : List.of(), Optional.empty(), farewells);
            case FORBID ->
                occupied
                        ? plan(
                                Optional.empty(),
                                false,
                                List.of(),
                                order.map(one -> "%s; it waits for %s to end"
                                        .formatted(one.reason(), String.join(", ", view.active()))),
                                farewells)
                        : plan(order, made, List.of(), Optional.empty(), farewells);
        };
    }

    private Plan plan(
            Optional<Order> order, boolean made, List<String> giveUp, Optional<String> held, List<Farewell> farewells) {
        return new Plan(
                giveUp,
                // One that is there was made before a crash, and only has to be remembered.
                order.filter(one -> !made).map(one -> new Start(one.name(), one.reason())),
                order.flatMap(Order::settled).or(this::passed),
                order.flatMap(Order::granted),
                held,
                view.due() instanceof DueRun.TooLate late ? Optional.of(late.reason()) : Optional.empty(),
                spared(farewells),
                farewells.stream().filter(one -> !made(one.name()).expired()).toList(),
                farewells.stream().filter(one -> mayGo(made(one.name()))).toList());
    }

    /** Those after them have failed or were deleted meanwhile, or somebody has pinned them. */
    private List<String> spared(List<Farewell> farewells) {
        Set<String> going = farewells.stream().map(Farewell::name).collect(Collectors.toSet());
        return view.backups().stream()
                .filter(made -> made.expired() && !made.deleted() && !going.contains(made.name()))
                .map(Made::name)
                .toList();
    }

    /** One at a time: a run of the calendar before a wish. */
    private Optional<Order> order() {
        Optional<Order> run = view.due() instanceof DueRun.Start start
                ? Optional.of(new Order(
                        BackupNames.ofRun(view.name(), start.scheduled()),
                        start.reason(),
                        start.settled(),
                        Optional.empty()))
                : Optional.empty();
        return run.or(() -> view.wish()
                .map(wish -> new Order(
                        BackupNames.ofWish(view.name(), view.formerWish(), wish),
                        "a backup is wanted now",
                        Optional.empty(),
                        Optional.of(wish))));
    }

    /** Runs that were missed, or passed while suspended. */
    private Optional<Instant> passed() {
        return view.due() instanceof DueRun.Start
                ? Optional.empty()
                : view.due().settled();
    }

    /** For each source on its own: the newest backup of another cluster is none of this one. */
    private List<Farewell> farewells() {
        Map<String, List<StoredBackup>> bySource = view.backups().stream()
                .filter(made -> !made.deleted())
                .collect(Collectors.groupingBy(
                        Made::source, TreeMap::new, Collectors.mapping(Made::stored, Collectors.toList())));
        Set<String> readable = readableFailures(
                bySource.values().stream().flatMap(List::stream).toList());
        return bySource.values().stream()
                .flatMap(judged -> view.retention().judge(judged, view.now()).stream())
                .flatMap(verdict -> farewell(verdict, readable))
                .filter(one -> !view.drill().underWay().equals(Optional.of(one.name())))
                .toList();
    }

    private static Stream<Farewell> farewell(Verdict verdict, Set<String> readable) {
        return switch (verdict) {
            case Delete(var backup, var reason) -> Stream.of(new Farewell(backup.name(), reason));
            case Keep(var backup, var reasons)
            when backup.outcome() instanceof StoredBackup.Failed
                    && !backup.pinned()
                    && !readable.contains(backup.name()) ->
                Stream.of(new Farewell(backup.name(), "%d failed after it".formatted(FAILED_KEPT)));
            case Keep _ -> Stream.empty();
        };
    }

    private static Set<String> readableFailures(List<StoredBackup> backups) {
        return backups.stream()
                .filter(backup -> backup.outcome() instanceof StoredBackup.Failed)
                .sorted(Comparator.comparing(Planner::ended).reversed())
                .limit(FAILED_KEPT)
                .map(StoredBackup::name)
                .collect(Collectors.toCollection(HashSet::new));
    }

    private static Instant ended(StoredBackup backup) {
        return switch (backup.outcome()) {
            case StoredBackup.Failed(var completed) -> completed;
            case StoredBackup.Good(var completed) -> completed;
            case StoredBackup.Unfinished() -> Instant.MAX;
        };
    }

    /** What is stored must be known to go with it, or deleting the object would leave it behind. */
    private static boolean mayGo(Made made) {
        return made.expired() && (made.held() || made.stored().outcome() instanceof StoredBackup.Failed);
    }

    private Made made(String name) {
        return view.backups().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
