package etcdoperator.calendar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.calendar.Retention.Delete;
import etcdoperator.calendar.Retention.Keep;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Backups are named after the minute at which they were done; a letter before it makes one something else than good. */
class RetentionTest {
    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");
    private static final Optional<Duration> FOR_EVER = Optional.empty();

    @Test
    void withoutARuleEverythingIsKept() {
        assertThat(judged(RetentionPolicy.KEEP_EVERYTHING, "2026-11-15T03:00", "2001-01-01T00:00", "f2001-01-01T00:00"))
                .containsExactly(
                        "2026-11-15T03:00: newest good one, there is no rule",
                        "2001-01-01T00:00: there is no rule",
                        "f2001-01-01T00:00: there is no rule");
    }

    @Test
    void theLastOnesAreKeptInWhateverOrderTheyCome() {
        var policy = new RetentionPolicy(2, 0, 0, 0, 0, FOR_EVER, List.of());
        assertThat(judged(policy, "2026-11-13T03:00", "2026-11-15T03:00", "2026-11-12T03:00", "2026-11-14T03:00"))
                .containsExactly(
                        "2026-11-13T03:00 deleted: no rule keeps it",
                        "2026-11-15T03:00: newest good one, last 2",
                        "2026-11-12T03:00 deleted: no rule keeps it",
                        "2026-11-14T03:00: last 2");
    }

    @Test
    void ofEachPeriodTheNewestIsKept() {
        var policy = new RetentionPolicy(0, 2, 2, 2, 3, FOR_EVER, List.of());
        assertThat(judged(
                        policy,
                        "2026-11-15T11:50",
                        "2026-11-15T11:10",
                        "2026-11-15T10:00",
                        "2026-11-14T23:00",
                        "2026-11-13T23:00",
                        "2026-11-08T23:59",
                        "2026-11-08T01:00",
                        "2026-10-31T00:00",
                        "2026-10-01T00:00",
                        "2026-09-30T23:59",
                        "2026-08-30T23:59"))
                .containsExactly(
                        "2026-11-15T11:50: newest good one, hourly 2026-11-15T11:00Z, daily 2026-11-15,"
                                + " weekly 2026-W46, monthly 2026-11",
                        "2026-11-15T11:10 deleted: no rule keeps it",
                        "2026-11-15T10:00: hourly 2026-11-15T10:00Z",
                        "2026-11-14T23:00: daily 2026-11-14",
                        "2026-11-13T23:00 deleted: no rule keeps it",
                        "2026-11-08T23:59: weekly 2026-W45",
                        "2026-11-08T01:00 deleted: no rule keeps it",
                        "2026-10-31T00:00: monthly 2026-10",
                        "2026-10-01T00:00 deleted: no rule keeps it",
                        "2026-09-30T23:59: monthly 2026-09",
                        "2026-08-30T23:59 deleted: no rule keeps it");
    }

    @Test
    void aDayWithoutABackupUsesUpNothing() {
        var policy = new RetentionPolicy(0, 0, 2, 0, 0, FOR_EVER, List.of());
        assertThat(judged(policy, "2026-11-01T03:00", "2026-03-01T03:00", "2026-02-01T03:00"))
                .containsExactly(
                        "2026-11-01T03:00: newest good one, daily 2026-11-01",
                        "2026-03-01T03:00: daily 2026-03-01",
                        "2026-02-01T03:00 deleted: no rule keeps it");
    }

    @Test
    void aWeekBelongsToTheYearOfItsThursday() {
        var policy = new RetentionPolicy(0, 0, 0, 2, 0, FOR_EVER, List.of());
        assertThat(judged(policy, "2027-01-03T03:00", "2026-12-28T03:00", "2026-12-27T03:00"))
                .containsExactly(
                        "2027-01-03T03:00: newest good one, weekly 2026-W53",
                        "2026-12-28T03:00 deleted: no rule keeps it",
                        "2026-12-27T03:00: weekly 2026-W52");
    }

    @Test
    void daysAreThoseOfThePlace() {
        var policy = new RetentionPolicy(0, 0, 2, 0, 0, FOR_EVER, List.of());
        List<StoredBackup> backups = List.of(backup("2026-11-14T23:30"), backup("2026-11-14T22:30"));
        assertThat(new Retention(policy, ZoneId.of("Europe/Berlin")).judge(backups, NOW))
                .containsExactly(
                        new Keep(backups.getFirst(), List.of("newest good one", "daily 2026-11-15")),
                        new Keep(backups.getLast(), List.of("daily 2026-11-14")));
    }

    @Test
    void anHourThatComesTwiceIsTwoHours() {
        var policy = new RetentionPolicy(0, 2, 0, 0, 0, FOR_EVER, List.of());
        List<StoredBackup> backups = List.of(backup("2026-10-25T01:30"), backup("2026-10-25T00:30"));
        assertThat(new Retention(policy, ZoneId.of("Europe/Berlin")).judge(backups, NOW))
                .containsExactly(
                        new Keep(backups.getFirst(), List.of("newest good one", "hourly 2026-10-25T02:00+01:00")),
                        new Keep(backups.getLast(), List.of("hourly 2026-10-25T02:00+02:00")));
    }

    @Test
    void theFirstOfTheChosenDaysIsKeptUntilTheEndOfTheNextMonth() {
        var policy = new RetentionPolicy(0, 0, 0, 0, 0, FOR_EVER, List.of(15, 1, 31));
        assertThat(judged(
                        policy,
                        "2026-11-15T11:03",
                        "2026-11-15T03:03",
                        "2026-11-02T03:03",
                        "2026-11-01T03:03",
                        "2026-10-31T03:03",
                        "2026-10-15T11:03",
                        "2026-10-15T03:03",
                        "2026-10-01T03:03",
                        "2026-09-15T03:03",
                        "2025-11-15T03:03"))
                .containsExactly(
                        "2026-11-15T11:03: newest good one",
                        "2026-11-15T03:03: first of 2026-11-15",
                        "2026-11-02T03:03 deleted: no rule keeps it",
                        "2026-11-01T03:03: first of 2026-11-01",
                        "2026-10-31T03:03: first of 2026-10-31",
                        "2026-10-15T11:03 deleted: no rule keeps it",
                        "2026-10-15T03:03: first of 2026-10-15",
                        "2026-10-01T03:03: first of 2026-10-01",
                        "2026-09-15T03:03 deleted: no rule keeps it",
                        "2025-11-15T03:03 deleted: no rule keeps it");
    }

    @Test
    void ageAloneKeepsAllThatIsYounger() {
        var policy = new RetentionPolicy(0, 0, 0, 0, 0, Optional.of(Duration.ofDays(2)), List.of());
        assertThat(judged(policy, "2026-11-15T03:00", "2026-11-13T12:00", "2026-11-13T11:59"))
                .containsExactly(
                        "2026-11-15T03:00: newest good one, not too old",
                        "2026-11-13T12:00: not too old",
                        "2026-11-13T11:59 deleted: older than 2 days");
    }

    @Test
    void ageIsAboveTheOtherRulesButNotAboveTheNewest() {
        var policy = new RetentionPolicy(3, 0, 0, 0, 0, Optional.of(Duration.ofHours(36)), List.of(1));
        assertThat(judged(policy, "2026-11-15T03:00", "2026-11-13T03:00", "2026-11-01T03:00"))
                .containsExactly(
                        "2026-11-15T03:00: newest good one, last 3",
                        "2026-11-13T03:00 deleted: older than 36h",
                        "2026-11-01T03:00 deleted: older than 36h");
        assertThat(judged(policy, "2026-01-02T03:00", "2026-01-01T03:00"))
                .containsExactly("2026-01-02T03:00: newest good one", "2026-01-01T03:00 deleted: older than 36h");
    }

    @Test
    void whatIsPinnedIsKeptAndTakesNobodysPlace() {
        var policy = new RetentionPolicy(1, 0, 0, 0, 0, Optional.of(Duration.ofDays(1)), List.of());
        assertThat(judged(policy, "p2026-11-15T04:00", "2026-11-15T03:00", "p2020-01-01T00:00", "pf2020-01-01T00:00"))
                .containsExactly(
                        "p2026-11-15T04:00: pinned, newest good one",
                        "2026-11-15T03:00: last 1",
                        "p2020-01-01T00:00: pinned",
                        "pf2020-01-01T00:00: pinned");
    }

    @Test
    void whatIsUnfinishedIsNotTouched() {
        var policy = new RetentionPolicy(1, 0, 0, 0, 0, Optional.of(Duration.ofDays(1)), List.of());
        assertThat(judged(policy, "u2020-01-01T00:00")).containsExactly("u2020-01-01T00:00: unfinished");
    }

    @Test
    void whatHasFailedGoesWithTheOldestKept() {
        var policy = new RetentionPolicy(2, 0, 0, 0, 0, FOR_EVER, List.of());
        assertThat(judged(
                        policy,
                        "f2026-11-15T04:00",
                        "2026-11-15T03:00",
                        "f2026-11-14T04:00",
                        "2026-11-14T03:00",
                        "f2026-11-13T04:00",
                        "p2026-01-01T00:00"))
                .containsExactly(
                        "f2026-11-15T04:00: failed lately",
                        "2026-11-15T03:00: newest good one, last 2",
                        "f2026-11-14T04:00: failed lately",
                        "2026-11-14T03:00: last 2",
                        "f2026-11-13T04:00 deleted: failed, and older than all that the rules keep",
                        "p2026-01-01T00:00: pinned");
    }

    @Test
    void whatHasFailedGoesByAgeEvenIfNothingElseIsThere() {
        var policy = new RetentionPolicy(2, 0, 0, 0, 0, Optional.of(Duration.ofDays(1)), List.of());
        assertThat(judged(policy, "f2026-11-15T04:00", "f2026-11-13T04:00"))
                .containsExactly(
                        "f2026-11-15T04:00: failed lately", "f2026-11-13T04:00 deleted: failed, and older than 1 day");
    }

    @Test
    void anImpossiblePolicyIsNamed() {
        assertThatThrownBy(() -> new RetentionPolicy(0, -1, 0, 0, 0, FOR_EVER, List.of()))
                .hasMessage("the number of hourly backups to keep is negative: -1");
        assertThatThrownBy(() -> new RetentionPolicy(0, 0, 0, 0, 0, Optional.of(Duration.ZERO), List.of()))
                .hasMessage("a maximum age of nothing would keep no backup");
        assertThatThrownBy(() -> new RetentionPolicy(0, 0, 0, 0, 0, FOR_EVER, List.of(1, 32)))
                .hasMessage("the day of month 32 is not between 1 and 31");
    }

    private static List<String> judged(RetentionPolicy policy, String... names) {
        List<String> words = new ArrayList<>();
        new Retention(policy, ZoneOffset.UTC)
                .judge(Arrays.stream(names).map(RetentionTest::backup).toList(), NOW)
                .forEach(verdict -> words.add(
                        switch (verdict) {
                            case Keep(StoredBackup backup, List<String> reasons) ->
                                backup.name() + ": " + String.join(", ", reasons);
                            case Delete(StoredBackup backup, String reason) -> backup.name() + " deleted: " + reason;
                        }));
        return words;
    }

    private static StoredBackup backup(String name) {
        Instant completed = Instant.parse(name.replaceAll("^[pfu]*", "") + ":00Z");
        StoredBackup.Outcome outcome = name.startsWith("u")
                ? new StoredBackup.Unfinished()
                : name.contains("f") ? new StoredBackup.Failed(completed) : new StoredBackup.Good(completed);
        return new StoredBackup(name, outcome, name.startsWith("p"));
    }
}
