package etcdoperator.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** What was measured: a table for people, and a line each for the history. */
final class Results {
    private final List<Row> rows = new ArrayList<>();
    private final Path history;
    private final String commit;

    /** @param key how the history calls it, for good */
    private record Row(String key, String what, String unit, double value, Optional<Target> target, String note) {
        String verdict() {
            if (target.isEmpty()) {
                return note;
            }
            return (target.get().isMetBy(value) ? "met" : "missed") + (note.isEmpty() ? "" : ", " + note);
        }
    }

    /** @param least whether more is better */
    private record Target(double value, boolean least) {
        boolean isMetBy(double measured) {
            return least ? measured >= value : measured <= value;
        }

        @Override
        public String toString() {
            return (least ? "≥ " : "≤ ") + number(value);
        }
    }

    Results(Path history, String commit) {
        this.history = history;
        this.commit = commit;
    }

    void add(String key, String what, String unit, double value) {
        add(key, what, unit, value, OptionalDouble.empty(), "");
    }

    void add(String key, String what, String unit, double value, OptionalDouble target, String note) {
        Optional<Target> most =
                target.isPresent() ? Optional.of(new Target(target.getAsDouble(), false)) : Optional.empty();
        rows.add(new Row(key, what, unit, value, most, note));
    }

    void addAtLeast(String key, String what, String unit, double value, double target) {
        rows.add(new Row(key, what, unit, value, Optional.of(new Target(target, true)), ""));
    }

    void print() {
        System.out.printf("%n%-58s %14s %12s  %s%n", "MEASURE", "VALUE", "TARGET", "VERDICT");
        for (Row row : rows) {
            String target = row.target.map(known -> known + " " + row.unit).orElse("");
            System.out.printf(
                    "%-58s %14s %12s  %s%n", row.what, number(row.value) + " " + row.unit, target, row.verdict());
        }
    }

    void remember() throws IOException {
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        List<String> lines = new ArrayList<>();
        if (!Files.exists(history)) {
            lines.add("date,commit,measure,value");
        }
        rows.forEach(row -> lines.add(String.join(",", now, commit, row.key, number(row.value))));
        Files.write(history, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static String number(double value) {
        return value >= 100 ? String.format(Locale.ROOT, "%.0f", value) : String.format(Locale.ROOT, "%.2f", value);
    }
}
