package etcdoperator.manifest.flags;

import etcdoperator.api.EtcdOptions;
import etcdoperator.api.EtcdOptions.AutoCompaction;
import etcdoperator.api.EtcdOptions.CompactionMode;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.TimeSpan;
import etcdoperator.manifest.flags.FlagTable.Row;
import etcdoperator.manifest.flags.FlagTable.Target;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The flags that follow from a cluster's {@code spec.etcd}, under the names that etcd of one version knows. */
public final class EtcdFlags {
    private static final String OPTIONS = "spec.etcd.";
    private static final String EXTRA_ARGS = OPTIONS + "extraArgs.";
    private static final String GATES = EXTRA_ARGS + FlagTable.FEATURE_GATES;

    private EtcdFlags() {}

    /** Sorted, so that another order in the manifest restarts nothing. */
    public static List<String> of(EtcdOptions options, EtcdVersion version) {
        SortedMap<String, String> flags = new TreeMap<>();
        SortedMap<String, String> gates = new TreeMap<>();
        for (Setting setting : settings(options)) {
            switch (setting.row().on(version)) {
                case Target.Flag flag -> flags.putIfAbsent(flag.name(), setting.value());
                case Target.Gate gate -> gates.putIfAbsent(gate.name(), setting.value());
            }
        }
        if (!gates.isEmpty()) {
            flags.put(
                    FlagTable.FEATURE_GATES,
                    gates.entrySet().stream()
                            .map(gate -> gate.getKey() + "=" + gate.getValue())
                            .collect(Collectors.joining(",")));
        }
        FlagTable.presets(version).forEach(flags::putIfAbsent);
        return flags.entrySet().stream()
                .map(flag -> "--" + flag.getKey() + "=" + flag.getValue())
                .toList();
    }

    /** What would keep etcd of this version from starting, or from doing what is asked, and what to do about it. */
    public static Optional<String> problem(EtcdOptions options, EtcdVersion version) {
        Map<Target, Setting> first = new HashMap<>();
        for (Setting setting : settings(options)) {
            if (version.isTestedLine() && !setting.row().isTakenBy(version)) {
                return Optional.of(unknown(setting, version));
            }
            Setting other = first.putIfAbsent(setting.row().on(version), setting);
            if (other != null && !other.value().equals(setting.value())) {
                return Optional.of(contradiction(other, setting, version));
            }
        }
        return Optional.empty();
    }

    private record Setting(String field, String written, Row row, String value) {
        /** Whether a gate was written, whatever it is for the version at hand. */
        boolean isGate() {
            return field.equals(GATES);
        }
    }

    private static List<Setting> settings(EtcdOptions options) {
        List<Setting> settings = new ArrayList<>();
        add(settings, "quota-backend-bytes", options.quotaBackendBytes());
        AutoCompaction compaction = options.autoCompaction();
        if (compaction != null) {
            add(settings, "auto-compaction-mode", word(compaction.mode()));
            add(settings, "auto-compaction-retention", compaction.retention());
        }
        add(settings, "snapshot-count", options.snapshotCount());
        add(settings, "heartbeat-interval", milliseconds(options.heartbeatInterval()));
        add(settings, "election-timeout", milliseconds(options.electionTimeout()));
        new TreeMap<>(options.extraArgs()).forEach((flag, value) -> {
            if (flag.equals(FlagTable.FEATURE_GATES)) {
                settings.addAll(gates(value));
            } else {
                settings.add(new Setting(EXTRA_ARGS + flag, flag, FlagTable.flag(flag), value));
            }
        });
        return settings;
    }

    private static void add(List<Setting> settings, String flag, @Nullable Object value) {
        if (value != null) {
            Row row = FlagTable.flag(flag);
            settings.add(new Setting(OPTIONS + row.setBy(), flag, row, value.toString()));
        }
    }

    private static List<Setting> gates(String list) {
        List<Setting> settings = new ArrayList<>();
        for (String entry : list.split(",")) {
            String[] nameAndValue = entry.split("=", 2);
            String gate = nameAndValue[0];
            settings.add(
                    new Setting(GATES, gate, FlagTable.gate(gate), nameAndValue.length == 1 ? "" : nameAndValue[1]));
        }
        return settings;
    }

    private static @Nullable String word(@Nullable CompactionMode mode) {
        return switch (mode) {
            case null -> null;
            case PERIODIC -> "periodic";
            case REVISION -> "revision";
        };
    }

    private static @Nullable Long milliseconds(@Nullable String duration) {
        return duration == null ? null : TimeSpan.parse(duration).toMillis();
    }

    private static String unknown(Setting setting, EtcdVersion version) {
        String what = setting.isGate()
                ? "%s names %s, which is not a feature gate of".formatted(setting.field(), setting.written())
                : setting.field() + " is not a flag of";
        List<EtcdVersion> lines = EtcdVersion.TESTED_LINES.stream()
                .filter(setting.row()::isTakenBy)
                .toList();
        String advice = lines.isEmpty()
                ? "correct or remove it"
                : lines.stream()
                        .map(EtcdVersion::line)
                        .collect(Collectors.joining(", ", "remove it (lines that have it: ", ")"));
        return "%s etcd %s, and an unknown one keeps it from starting: %s".formatted(what, version.line(), advice);
    }

    private static String contradiction(Setting one, Setting other, EtcdVersion version) {
        return one.field().equals(other.field())
                ? "%s has %s twice, with different values: keep one of them".formatted(one.field(), one.written())
                : "%s and %s are the same to etcd %s, but have different values: keep one of them"
                        .formatted(one.field(), other.field(), version.line());
    }
}
