package etcdoperator.calendar;

import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.IsoFields;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Applies the rules of a policy to good backups; {@link Retention} says what they are. */
record RetentionRules(RetentionPolicy policy, ZoneId zone, Instant now) {
    /** With the offset, because an hour may come twice. */
    private static final DateTimeFormatter HOUR = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:00XXX");

    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("uuuu-MM-dd");
    private static final DateTimeFormatter MONTH = DateTimeFormatter.ofPattern("uuuu-MM");

    /** What keeps each backup, by name. One that is not among them is kept by no rule. */
    Map<String, List<String>> reasons(List<GoodBackup> newestFirst) {
        Map<String, List<String>> reasons = new LinkedHashMap<>();
        newestFirst.stream().findFirst().ifPresent(newest -> add(reasons, newest, "newest good one"));
        List<GoodBackup> ruled = newestFirst.stream()
                .filter(backup -> !backup.pinned() && !policy.isTooOld(backup.completed(), now))
                .toList();
        if (!policy.picks()) {
            String reason = policy.maxAge().isPresent() ? "not too old" : "there is no rule";
            ruled.forEach(backup -> add(reasons, backup, reason));
        }
        ruled.stream().limit(policy.keepLast()).forEach(backup -> add(reasons, backup, "last " + policy.keepLast()));
        keepNewestOfEach("hourly", policy.hourly(), HOUR::format, ruled, reasons);
        keepNewestOfEach("daily", policy.daily(), DAY::format, ruled, reasons);
        keepNewestOfEach("weekly", policy.weekly(), RetentionRules::week, ruled, reasons);
        keepNewestOfEach("monthly", policy.monthly(), MONTH::format, ruled, reasons);
        keepFirstOfDays(ruled, reasons);
        return reasons;
    }

    private void keepNewestOfEach(
            String rule,
            int count,
            Function<ZonedDateTime, String> period,
            List<GoodBackup> newestFirst,
            Map<String, List<String>> reasons) {
        Set<String> seen = new HashSet<>();
        for (GoodBackup backup : newestFirst) {
            String its = period.apply(backup.completed().atZone(zone));
            if (seen.size() < count && seen.add(its)) {
                add(reasons, backup, rule + " " + its);
            }
        }
    }

    private void keepFirstOfDays(List<GoodBackup> newestFirst, Map<String, List<String>> reasons) {
        YearMonth thisMonth = YearMonth.from(now.atZone(zone));
        Set<String> seen = new HashSet<>();
        for (GoodBackup backup : newestFirst.reversed()) {
            ZonedDateTime time = backup.completed().atZone(zone);
            YearMonth month = YearMonth.from(time);
            boolean wanted = policy.daysOfPreviousMonth().contains(time.getDayOfMonth())
                    && (month.equals(thisMonth) || month.equals(thisMonth.minusMonths(1)));
            if (wanted && seen.add(DAY.format(time))) {
                add(reasons, backup, "first of " + DAY.format(time));
            }
        }
    }

    private static String week(ZonedDateTime time) {
        return "%d-W%02d".formatted(time.get(IsoFields.WEEK_BASED_YEAR), time.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
    }

    private static void add(Map<String, List<String>> reasons, GoodBackup backup, String reason) {
        reasons.computeIfAbsent(backup.name(), name -> new ArrayList<>()).add(reason);
    }
}
