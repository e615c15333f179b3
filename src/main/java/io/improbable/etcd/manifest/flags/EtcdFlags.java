package io.improbable.etcd.manifest.flags;

import io.improbable.etcd.api.EtcdOptions;
import io.improbable.etcd.api.EtcdOptions.AutoCompaction;
import io.improbable.etcd.api.EtcdOptions.CompactionMode;
import io.improbable.etcd.domain.EtcdVersion;
import io.improbable.etcd.domain.TimeSpan;
import io.improbable.etcd.manifest.flags.FlagNames.Target;
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
    private static final String GATES = EXTRA_ARGS + FlagNames.FEATURE_GATES;

    private EtcdFlags() {}

    /** Sorted, so that another order in the manifest restarts nothing. */
    public static List<String> of(EtcdOptions options, EtcdVersion version) {
        SortedMap<String, String> flags = new TreeMap<>();
        SortedMap<String, String> gates = new TreeMap<>();
        for (Setting setting : settings(options, version)) {
            switch (setting.target()) {
                case Target.Flag flag -> flags.putIfAbsent(flag.name(), setting.value());
                case Target.Gate gate -> gates.putIfAbsent(gate.name(), setting.value());
            }
        }
        if (!gates.isEmpty()) {
            flags.put(
                    FlagNames.FEATURE_GATES,
                    gates.entrySet().stream()
                            .map(gate -> gate.getKey() + "=" + gate.getValue())
                            .collect(Collectors.joining(",")));
        }
        ours(version).forEach(flags::putIfAbsent);
        return flags.entrySet().stream()
                .map(flag -> "--" + flag.getKey() + "=" + flag.getValue())
                .toList();
    }

    /** What would keep etcd of this version from starting, or from doing what is asked, and what to do about it. */
    public static Optional<String> problem(EtcdOptions options, EtcdVersion version) {
        Map<Target, Setting> first = new HashMap<>();
        for (Setting setting : settings(options, version)) {
            if (version.isTestedLine() && !FlagNames.isKnown(setting.target(), version)) {
                return Optional.of(unknown(setting, version));
            }
            Setting other = first.putIfAbsent(setting.target(), setting);
            if (other != null && !other.value().equals(setting.value())) {
                return Optional.of(contradiction(other, setting, version));
            }
        }
        return Optional.empty();
    }

    /** What a version does not do by itself. */
    private static Map<String, String> ours(EtcdVersion version) {
        Map<String, String> flags = new HashMap<>();
        if (version.needsPreVoteFlag()) {
            flags.put("pre-vote", "true");
        }
        // The next minor must not find entries in the log that only this one can read; a snapshot ends them.
        if (version.snapshotsSeldom()) {
            flags.put("snapshot-count", "10000");
        }
        return flags;
    }

    private record Setting(String field, String written, Target target, String value) {
        /** Whether a gate was written, whatever it is for the version at hand. */
        boolean isGate() {
            return field.equals(GATES);
        }
    }

    private static List<Setting> settings(EtcdOptions options, EtcdVersion version) {
        List<Setting> settings = new ArrayList<>();
        add(settings, "quotaBackendBytes", "quota-backend-bytes", options.quotaBackendBytes());
        AutoCompaction compaction = options.autoCompaction();
        if (compaction != null) {
            add(settings, "autoCompaction.mode", "auto-compaction-mode", word(compaction.mode()));
            add(settings, "autoCompaction.retention", "auto-compaction-retention", compaction.retention());
        }
        add(settings, "snapshotCount", "snapshot-count", options.snapshotCount());
        add(settings, "heartbeatInterval", "heartbeat-interval", milliseconds(options.heartbeatInterval()));
        add(settings, "electionTimeout", "election-timeout", milliseconds(options.electionTimeout()));
        new TreeMap<>(options.extraArgs()).forEach((flag, value) -> {
            if (flag.equals(FlagNames.FEATURE_GATES)) {
                settings.addAll(gates(value, version));
            } else {
                settings.add(new Setting(EXTRA_ARGS + flag, flag, FlagNames.ofFlag(flag, version), value));
            }
        });
        return settings;
    }

    /** These have one name in all versions. */
    private static void add(List<Setting> settings, String field, String flag, @Nullable Object value) {
        if (value != null) {
            settings.add(new Setting(OPTIONS + field, flag, new Target.Flag(flag), value.toString()));
        }
    }

    private static List<Setting> gates(String list, EtcdVersion version) {
        List<Setting> settings = new ArrayList<>();
        for (String entry : list.split(",")) {
            String[] nameAndValue = entry.split("=", 2);
            String gate = nameAndValue[0];
            settings.add(new Setting(
                    GATES, gate, FlagNames.ofGate(gate, version), nameAndValue.length == 1 ? "" : nameAndValue[1]));
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
        List<EtcdVersion> lines = setting.isGate()
                ? FlagNames.linesWithGate(setting.written())
                : FlagNames.linesWithFlag(setting.written());
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
