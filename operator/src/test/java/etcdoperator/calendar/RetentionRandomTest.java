package etcdoperator.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.calendar.Retention.Delete;
import etcdoperator.calendar.Retention.Keep;
import etcdoperator.calendar.StoredBackup.Failed;
import etcdoperator.calendar.StoredBackup.Good;
import etcdoperator.calendar.StoredBackup.Unfinished;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What holds for any backups and any policy. */
class RetentionRandomTest {
    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");
    private static final int HISTORIES = 3000;

    @Test
    void theNewestGoodOneAndWhatIsPinnedOrUnfinishedIsAlwaysKept() {
        for (int seed = 0; seed < HISTORIES; seed++) {
            var dice = new Random(seed);
            List<StoredBackup> backups = backups(dice);
            Set<StoredBackup> deleted = deleted(retention(dice), backups);
            assertThat(deleted)
                    .as("seed %d", seed)
                    .noneMatch(backup -> backup.pinned() || backup.outcome() instanceof Unfinished);
            Optional<Instant> newest = newest(backups);
            assertThat(newest(without(backups, deleted))).as("seed %d", seed).isEqualTo(newest);
        }
    }

    @Test
    void onceAllIsDeletedNothingMoreIs() {
        for (int seed = 0; seed < HISTORIES; seed++) {
            var dice = new Random(seed);
            List<StoredBackup> backups = backups(dice);
            Retention retention = retention(dice);
            List<StoredBackup> left = without(backups, deleted(retention, backups));
            assertThat(deleted(retention, left)).as("seed %d", seed).isEmpty();
            assertThat(kept(retention, left))
                    .as("seed %d: the reasons stay the same, too", seed)
                    .isEqualTo(kept(retention, backups));
        }
    }

    /** A crash between two deletions, in any order, must not change what is left in the end. */
    @Test
    void deletingSomeOfThemChangesNothingForTheOthers() {
        for (int seed = 0; seed < HISTORIES; seed++) {
            var dice = new Random(seed);
            List<StoredBackup> backups = backups(dice);
            Retention retention = retention(dice);
            Set<StoredBackup> some = deleted(retention, backups).stream()
                    .filter(backup -> dice.nextBoolean())
                    .collect(Collectors.toSet());
            assertThat(kept(retention, without(backups, some)))
                    .as("seed %d", seed)
                    .isEqualTo(kept(retention, backups));
        }
    }

    @Test
    void theOrderInWhichTheyAreGivenDoesNotMatter() {
        for (int seed = 0; seed < HISTORIES; seed++) {
            var dice = new Random(seed);
            List<StoredBackup> backups = backups(dice);
            Retention retention = retention(dice);
            Set<StoredBackup> deleted = deleted(retention, backups);
            List<StoredBackup> shuffled = new ArrayList<>(backups);
            Collections.shuffle(shuffled, dice);
            assertThat(deleted(retention, shuffled)).as("seed %d", seed).isEqualTo(deleted);
        }
    }

    @Test
    void anOlderOneThatTurnsUpDisplacesNoNewerOneUnlessAsTheFirstOfItsDay() {
        for (int seed = 0; seed < HISTORIES; seed++) {
            var dice = new Random(seed);
            List<StoredBackup> backups = backups(dice);
            Retention retention = retention(dice);
            Instant late = NOW.minusSeconds(dice.nextInt(100 * 86400));
            var older = new StoredBackup("older", new Good(late), false);
            Set<StoredBackup> before = deleted(retention, backups);
            Set<StoredBackup> displaced = new HashSet<>(deleted(retention, with(backups, older)));
            displaced.removeAll(before);
            displaced.removeIf(
                    backup -> !completed(backup).filter(late::isBefore).isPresent());
            displaced.removeIf(backup -> isFirstOfItsDay(retention, backup, backups));
            assertThat(displaced).as("seed %d", seed).isEmpty();
        }
    }

    @Test
    void asManyAreKeptAsThePolicyAsksFor() {
        for (int seed = 0; seed < HISTORIES; seed++) {
            var dice = new Random(seed);
            List<StoredBackup> backups = backups(dice);
            int count = 1 + dice.nextInt(10);
            var retention = new Retention(
                    new RetentionPolicy(0, 0, count, 0, 0, Optional.empty(), List.of()), ZoneId.of("Europe/Berlin"));
            long days = backups.stream()
                    .filter(backup -> backup.outcome() instanceof Good && !backup.pinned())
                    .map(backup -> day(retention, backup))
                    .distinct()
                    .count();
            assertThat(kept(retention, backups).stream()
                            .flatMap(keep -> keep.reasons().stream())
                            .filter(reason -> reason.startsWith("daily")))
                    .as("seed %d", seed)
                    .doesNotHaveDuplicates()
                    .hasSize((int) Math.min(days, count));
        }
    }

    private static boolean isFirstOfItsDay(Retention retention, StoredBackup backup, List<StoredBackup> backups) {
        return kept(retention, backups).stream()
                .filter(keep -> keep.backup().equals(backup))
                .anyMatch(keep -> keep.reasons().contains("first of " + day(retention, backup)));
    }

    private static LocalDate day(Retention retention, StoredBackup backup) {
        return LocalDate.ofInstant(completed(backup).orElseThrow(), retention.zone());
    }

    private static List<StoredBackup> backups(Random dice) {
        int spanSeconds = List.of(86400, 10 * 86400, 100 * 86400).get(dice.nextInt(3));
        return IntStream.range(0, dice.nextInt(40))
                .mapToObj(i -> new StoredBackup(
                        "backup-" + i,
                        outcome(dice, NOW.minusSeconds(dice.nextInt(spanSeconds))),
                        dice.nextInt(15) == 0))
                .toList();
    }

    private static StoredBackup.Outcome outcome(Random dice, Instant completed) {
        return switch (dice.nextInt(10)) {
            case 0 -> new Unfinished();
            case 1, 2 -> new Failed(completed);
            default -> new Good(completed);
        };
    }

    private static Retention retention(Random dice) {
        return new Retention(
                new RetentionPolicy(
                        perhaps(dice),
                        perhaps(dice),
                        perhaps(dice),
                        perhaps(dice),
                        perhaps(dice),
                        dice.nextInt(3) == 0 ? Optional.of(Duration.ofHours(1 + dice.nextInt(2000))) : Optional.empty(),
                        dice.nextInt(3) == 0 ? List.of(1, 15, 1 + dice.nextInt(31)) : List.of()),
                ZoneId.of(List.of("UTC", "Europe/Berlin", "Australia/Lord_Howe").get(dice.nextInt(3))));
    }

    private static int perhaps(Random dice) {
        return dice.nextInt(3) == 0 ? dice.nextInt(6) : 0;
    }

    private static Set<StoredBackup> deleted(Retention retention, List<StoredBackup> backups) {
        return retention.judge(backups, NOW).stream()
                .filter(Delete.class::isInstance)
                .map(Retention.Verdict::backup)
                .collect(Collectors.toSet());
    }

    private static Set<Keep> kept(Retention retention, List<StoredBackup> backups) {
        return retention.judge(backups, NOW).stream()
                .filter(Keep.class::isInstance)
                .map(Keep.class::cast)
                .collect(Collectors.toSet());
    }

    private static List<StoredBackup> without(List<StoredBackup> backups, Set<StoredBackup> gone) {
        return backups.stream().filter(backup -> !gone.contains(backup)).toList();
    }

    private static List<StoredBackup> with(List<StoredBackup> backups, StoredBackup more) {
        return Stream.concat(backups.stream(), Stream.of(more)).toList();
    }

    private static Optional<Instant> newest(List<StoredBackup> backups) {
        return backups.stream()
                .filter(backup -> backup.outcome() instanceof Good)
                .flatMap(backup -> completed(backup).stream())
                .max(Instant::compareTo);
    }

    private static Optional<Instant> completed(StoredBackup backup) {
        return switch (backup.outcome()) {
            case Good(Instant completed) -> Optional.of(completed);
            case Failed(Instant completed) -> Optional.of(completed);
            case Unfinished() -> Optional.empty();
        };
    }
}
