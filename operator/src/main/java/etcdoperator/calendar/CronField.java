package etcdoperator.calendar;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * One of the five fields of a crontab line.
 *
 * @param values never empty
 * @param starred whether it starts with a star: cron asks that before it joins day of month and day of week
 */
record CronField(NavigableSet<Integer> values, boolean starred) {
    private static final int SUNDAY_AT_THE_END = 7;

    enum Kind {
        MINUTE("minute", 0, 59, List.of()),
        HOUR("hour", 0, 23, List.of()),
        DAY_OF_MONTH("day of month", 1, 31, List.of()),
        MONTH(
                "month",
                1,
                12,
                List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")),
        /** Sunday is 0 and 7, so that both SUN-TUE and FRI-7 can be said. */
        DAY_OF_WEEK("day of week", 0, SUNDAY_AT_THE_END, List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"));

        private final String title;
        private final int first;
        private final int last;
        private final List<String> names;

        Kind(String title, int first, int last, List<String> names) {
            this.title = title;
            this.first = first;
            this.last = last;
            this.names = names;
        }
    }

    /** Fails with a sentence that says what is wrong and in which field. */
    static CronField parse(Kind kind, String text) {
        NavigableSet<Integer> values = new TreeSet<>();
        for (String item : text.split(",", -1)) {
            addItem(kind, item, values);
        }
        if (kind == Kind.DAY_OF_WEEK && values.remove(SUNDAY_AT_THE_END)) {
            values.add(0);
        }
        return new CronField(Collections.unmodifiableNavigableSet(values), text.startsWith("*"));
    }

    boolean has(int value) {
        return values.contains(value);
    }

    private static void addItem(Kind kind, String item, NavigableSet<Integer> values) {
        String[] parts = item.split("/", -1);
        if (parts.length > 2) {
            throw wrong(kind, "'" + item + "' has more than one step");
        }
        int step = parts.length == 2 ? step(kind, parts[1]) : 1;
        String range = parts[0];
        int first;
        int last;
        if (range.equals("*")) {
            first = kind.first;
            last = kind == Kind.DAY_OF_WEEK ? 6 : kind.last;
        } else {
            String[] ends = range.split("-", -1);
            if (ends.length > 2) {
                throw wrong(kind, "'" + range + "' is not a range");
            }
            first = value(kind, ends[0]);
            last = ends.length == 2 ? end(kind, ends[1]) : parts.length == 2 ? kind.last : first;
        }
        if (last < first) {
            throw wrong(kind, "'" + range + "' ends before it begins");
        }
        for (int value = first; value <= last; value += step) {
            values.add(value);
        }
    }

    /** FRI-SUN is what people write, though SUN is 0 elsewhere. */
    private static int end(Kind kind, String text) {
        return kind == Kind.DAY_OF_WEEK && text.equalsIgnoreCase("SUN") ? SUNDAY_AT_THE_END : value(kind, text);
    }

    private static int step(Kind kind, String text) {
        if (!isNumber(text)) {
            throw wrong(kind, "step '" + text + "' is not a number");
        }
        int step = Integer.parseInt(text);
        if (step < 1) {
            throw wrong(kind, "step " + text + " leads nowhere");
        }
        return step;
    }

    private static int value(Kind kind, String text) {
        int name = kind.names.indexOf(text.toUpperCase(Locale.ROOT));
        if (name >= 0) {
            return name + kind.first;
        }
        if (!isNumber(text)) {
            throw wrong(
                    kind,
                    kind.names.isEmpty()
                            ? "'" + text + "' is not a number"
                            : "'" + text + "' is neither a number nor a name such as " + kind.names.getFirst());
        }
        int value = Integer.parseInt(text);
        if (value < kind.first || value > kind.last) {
            throw wrong(kind, text + " is not between " + kind.first + " and " + kind.last);
        }
        return value;
    }

    private static boolean isNumber(String text) {
        return text.matches("[0-9]{1,4}");
    }

    private static IllegalArgumentException wrong(Kind kind, String why) {
        return new IllegalArgumentException("the " + kind.title + " " + why);
    }
}
