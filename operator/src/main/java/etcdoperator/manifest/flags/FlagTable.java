package etcdoperator.manifest.flags;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toUnmodifiableMap;

import etcdoperator.domain.EtcdVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Every flag and feature gate of etcd in one row, with a column for each tested line: {@code etcd-flags.txt}. Up to 3.5
 * most new flags are experimental-NAME; 3.6 took the prefix away, or made a feature gate of the flag, and 3.7 forgot the
 * old names. Users may write either name on any line.
 */
public final class FlagTable {
    static final String FEATURE_GATES = "feature-gates";

    private static final String PREFIX = "experimental-";

    private static final List<Row> ROWS = read();

    private static final Map<String, Row> FLAGS = ROWS.stream()
            .filter(row -> !row.isOnlyAGate())
            .flatMap(row -> row.lostItsPrefix()
                    ? Stream.of(Map.entry(row.name(), row), Map.entry(PREFIX + row.name(), row))
                    : Stream.of(Map.entry(row.name(), row)))
            .collect(toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

    private static final Map<String, Row> GATES = ROWS.stream()
            .filter(row -> row.cells().contains("gate"))
            .collect(toUnmodifiableMap(Row::more, Function.identity()));

    private static final Pattern PRESET = Pattern.compile("(.+)@(\\d)-(\\d)");

    private static final Map<String, MatchResult> PRESETS = ROWS.stream()
            .map(row -> Map.entry(row.name(), PRESET.matcher(row.more())))
            .filter(row -> row.getValue().matches())
            .collect(toUnmodifiableMap(Map.Entry::getKey, row -> row.getValue().toMatchResult()));

    private FlagTable() {}

    /** Where etcd of some version takes a setting. */
    sealed interface Target {
        String name();

        record Flag(String name) implements Target {}

        record Gate(String name) implements Target {}
    }

    /**
     * @param cells for each of {@link EtcdVersion#TESTED_LINES}
     * @param setBy operator, extraArgs, or another field of {@code spec.etcd}
     * @param more the feature gate, or the operator's own value, or empty
     */
    public record Row(String name, List<String> cells, String setBy, String more) {
        private static final String ABSENT = "-";

        /** A line without it has it under the name of the nearest line; older and newer lines follow the nearest one. */
        Target on(EtcdVersion version) {
            int column = column(version);
            String cell = Stream.concat(
                            cells.subList(column, cells.size()).stream(), cells.subList(0, column).reversed().stream())
                    .filter(candidate -> !candidate.equals(ABSENT))
                    .findFirst()
                    .orElse(more.isEmpty() ? "yes" : "gate");
            return switch (cell) {
                case "gate" -> new Target.Gate(more);
                case "exp" -> new Target.Flag(PREFIX + name);
                // Lines before it lack it under the older name.
                case "both" -> new Target.Flag(isTakenBy(version) ? name : PREFIX + name);
                default -> new Target.Flag(name);
            };
        }

        /** Whether some line has it, too, with experimental- before its name. */
        public boolean lostItsPrefix() {
            return cells.contains("exp") || cells.contains("both");
        }

        /** Whether it was never a flag. */
        public boolean isOnlyAGate() {
            return name.equals(more);
        }

        boolean isTakenBy(EtcdVersion tested) {
            return !cells.get(column(tested)).equals(ABSENT);
        }

        private static int column(EtcdVersion version) {
            return Math.clamp(
                    version.minor() - EtcdVersion.TESTED_LINES.getFirst().minor(),
                    0,
                    EtcdVersion.TESTED_LINES.size() - 1);
        }
    }

    public static List<Row> rows() {
        return ROWS;
    }

    /** @param written with or without experimental- */
    static Row flag(String written) {
        return FLAGS.getOrDefault(written, unlisted(written, ""));
    }

    static Row gate(String written) {
        return GATES.getOrDefault(written, unlisted(written, written));
    }

    /** Of a flag that is one in every version. */
    public static String nameOf(String plain, EtcdVersion version) {
        return flag(plain).on(version).name();
    }

    /** What a version does not do by itself. */
    static Map<String, String> presets(EtcdVersion version) {
        return PRESETS.entrySet().stream()
                .filter(preset -> version.minor()
                                >= Integer.parseInt(preset.getValue().group(2))
                        && version.minor() <= Integer.parseInt(preset.getValue().group(3)))
                .collect(toMap(Map.Entry::getKey, preset -> preset.getValue().group(1)));
    }

    private static Row unlisted(String written, String gate) {
        return new Row(
                written,
                EtcdVersion.TESTED_LINES.stream().map(line -> Row.ABSENT).toList(),
                "extraArgs",
                gate);
    }

    private static List<Row> read() {
        try (InputStream table = Objects.requireNonNull(FlagTable.class.getResourceAsStream("/etcd-flags.txt"))) {
            return new String(table.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> row(List.of(line.split(" +"))))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Row row(List<String> words) {
        int setBy = 1 + EtcdVersion.TESTED_LINES.size();
        return new Row(
                words.getFirst(),
                words.subList(1, setBy),
                words.get(setBy),
                words.size() > setBy + 1 ? words.getLast() : "");
    }
}
