package etcdoperator.calendar;

import etcdoperator.calendar.StoredBackup.Failed;
import etcdoperator.calendar.StoredBackup.Good;
import etcdoperator.calendar.StoredBackup.Unfinished;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which backups are kept, and why. The rules, of which each may keep a backup, as restic and borg have them:
 *
 * <ul>
 *   <li>{@code keepLast}: the newest so many.
 *   <li>{@code hourly}, {@code daily}, {@code weekly}, {@code monthly}: the newest of each hour, day, week (from Monday
 *       on) or month by the clocks of the place, for the newest so many of these that have a backup at all. A day
 *       without a backup uses up nothing, so a long outage of backups deletes none.
 *   <li>{@code daysOfPreviousMonth}: the first of each of these days, of the month before this one and of this one. A
 *       month without such a day has none.
 *   <li>{@code maxAge}: above the other rules: what is older goes, whatever else would keep it. Without another rule,
 *       all that is younger stays.
 * </ul>
 *
 * A policy without any rule keeps everything. Whatever the rules say:
 *
 * <ul>
 *   <li>The newest good backup is never deleted, nor is one that is pinned or unfinished.
 *   <li>A pinned one takes nobody's place: the rules are applied as if it were not there.
 *   <li>A failed one is no backup for any rule. It goes once it is older than {@code maxAge} or than all that the rules
 *       keep: until then it tells why there is a hole.
 * </ul>
 *
 * The answer depends on nothing but the backups that there are: what is deleted is missed by no rule, so asking again
 * at the same time deletes nothing more, and an older backup that turns up displaces no newer one, unless it is the
 * first of its day.
 */
public record Retention(RetentionPolicy policy, ZoneId zone) {
    /** What is to be done with a backup. */
    public sealed interface Verdict {
        StoredBackup backup();
    }

    /** @param reasons all that keeps it, such as {@code last 3} or {@code daily 2026-11-14} */
    public record Keep(StoredBackup backup, List<String> reasons) implements Verdict {}

    /** @param reason why nothing keeps it */
    public record Delete(StoredBackup backup, String reason) implements Verdict {}

    /** A verdict on each backup, in the order in which they are given. No two may have one name. */
    public List<Verdict> judge(Collection<StoredBackup> backups, Instant now) {
        List<GoodBackup> newestFirst = backups.stream()
                .flatMap(Retention::ifGood)
                .sorted(GoodBackup.NEWEST_FIRST)
                .toList();
        Map<String, List<String>> reasons = new RetentionRules(policy, zone, now).reasons(newestFirst);
        Optional<Instant> oldestKept = newestFirst.stream()
                .filter(good -> reasons.containsKey(good.name()))
                .map(GoodBackup::completed)
                .min(Comparator.naturalOrder());
        return backups.stream()
                .map(backup -> switch (backup.outcome()) {
                    case Unfinished() -> new Keep(backup, List.of("unfinished"));
                    case Good(Instant completed) ->
                        ofGood(backup, completed, reasons.getOrDefault(backup.name(), List.of()), now);
                    case Failed(Instant completed) -> ofFailed(backup, completed, oldestKept, now);
                })
                .toList();
    }

    private static Stream<GoodBackup> ifGood(StoredBackup backup) {
        return switch (backup.outcome()) {
            case Good(Instant completed) -> Stream.of(new GoodBackup(backup.name(), completed, backup.pinned()));
            case Failed _, Unfinished _ -> Stream.empty();
        };
    }

    private Verdict ofGood(StoredBackup backup, Instant completed, List<String> reasons, Instant now) {
        if (backup.pinned()) {
            return new Keep(
                    backup, Stream.concat(Stream.of("pinned"), reasons.stream()).toList());
        }
        if (!reasons.isEmpty()) {
            return new Keep(backup, reasons);
        }
        return new Delete(backup, tooOld(completed, now).orElse("no rule keeps it"));
    }

    private Verdict ofFailed(StoredBackup backup, Instant completed, Optional<Instant> oldestKept, Instant now) {
        if (backup.pinned()) {
            return new Keep(backup, List.of("pinned"));
        }
        if (policy.equals(RetentionPolicy.KEEP_EVERYTHING)) {
            return new Keep(backup, List.of("there is no rule"));
        }
        return tooOld(completed, now)
                .or(() -> oldestKept.filter(completed::isBefore).map(oldest -> "older than all that the rules keep"))
                .<Verdict>map(why -> new Delete(backup, "failed, and " + why))
                .orElseGet(() -> new Keep(backup, List.of("failed lately")));
    }

    private Optional<String> tooOld(Instant completed, Instant now) {
        return policy.isTooOld(completed, now)
                ? policy.maxAge().map(age -> "older than " + inWords(age))
                : Optional.empty();
    }

    private static String inWords(Duration age) {
        long days = age.toDays();
        return age.equals(Duration.ofDays(days))
                ? days == 1 ? "1 day" : days + " days"
                : age.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
    }
}
