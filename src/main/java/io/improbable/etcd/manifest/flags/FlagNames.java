package io.improbable.etcd.manifest.flags;

import io.improbable.etcd.domain.EtcdVersion;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What each line of etcd calls a flag. Up to 3.5 most new flags are experimental-NAME; 3.6 took the prefix away, or made
 * a feature gate of the flag, and 3.7 forgot the old names. Users may write either name on any line.
 */
public final class FlagNames {
    static final String FEATURE_GATES = "feature-gates";

    private static final String PREFIX = "experimental-";
    private static final int FIRST_WITHOUT_PREFIX = 6;

    private static final Set<String> RENAMED = Set.of(
            "bootstrap-defrag-threshold-megabytes",
            "compact-hash-check-time",
            "compaction-batch-limit",
            "compaction-sleep-interval",
            "corrupt-check-time",
            "distributed-tracing-address",
            "distributed-tracing-instance-id",
            "distributed-tracing-sampling-rate",
            "distributed-tracing-service-name",
            "downgrade-check-time",
            "enable-distributed-tracing",
            "memory-mlock",
            "peer-skip-client-san-verification",
            "snapshot-catchup-entries",
            "warning-apply-duration",
            "warning-unary-request-duration",
            "watch-progress-notify-interval");

    /** The one flag that lost its prefix a minor earlier. */
    private static final String RENAMED_BY_3_5 = "backend-bbolt-freelist-type";

    private static final Map<String, String> GATES = Map.of(
            "experimental-compact-hash-check-enabled", "CompactHashCheck",
            "experimental-enable-lease-checkpoint", "LeaseCheckpoint",
            "experimental-enable-lease-checkpoint-persist", "LeaseCheckpointPersist",
            "experimental-initial-corrupt-check", "InitialCorruptCheck",
            "experimental-stop-grpc-service-on-defrag", "StopGRPCServiceOnDefrag",
            "experimental-txn-mode-write-with-shared-buffer", "TxnModeWriteWithSharedBuffer");

    private FlagNames() {}

    /** Where etcd of some version takes a setting. */
    sealed interface Target {
        String name();

        record Flag(String name) implements Target {}

        record Gate(String name) implements Target {}
    }

    static Target ofFlag(String written, EtcdVersion version) {
        String gate = GATES.get(written);
        if (gate != null && version.minor() >= FIRST_WITHOUT_PREFIX) {
            return new Target.Gate(gate);
        }
        String plain = written.startsWith(PREFIX) ? written.substring(PREFIX.length()) : written;
        return new Target.Flag(firstMinorWithPlain(plain)
                .map(first -> version.minor() >= first ? plain : PREFIX + plain)
                .orElse(written));
    }

    /** A flag that is one in every version. */
    public static String nameOf(String plain, EtcdVersion version) {
        return ofFlag(plain, version).name();
    }

    /** Before there were gates, some of them were flags. */
    static Target ofGate(String gate, EtcdVersion version) {
        return GATES.entrySet().stream()
                .filter(entry -> version.minor() < FIRST_WITHOUT_PREFIX)
                .filter(entry -> entry.getValue().equals(gate))
                .findFirst()
                .<Target>map(entry -> new Target.Flag(entry.getKey()))
                .orElseGet(() -> new Target.Gate(gate));
    }

    static boolean isKnown(Target target, EtcdVersion version) {
        return switch (target) {
            case Target.Flag flag -> KnownFlags.hasFlag(flag.name(), version);
            case Target.Gate gate -> KnownFlags.hasGate(gate.name(), version);
        };
    }

    /** The tested lines that take a flag, under whatever name. */
    static List<EtcdVersion> linesWithFlag(String written) {
        return EtcdVersion.TESTED_LINES.stream()
                .filter(line -> isKnown(ofFlag(written, line), line))
                .toList();
    }

    static List<EtcdVersion> linesWithGate(String gate) {
        return EtcdVersion.TESTED_LINES.stream()
                .filter(line -> isKnown(ofGate(gate, line), line))
                .toList();
    }

    private static Optional<Integer> firstMinorWithPlain(String plain) {
        if (plain.equals(RENAMED_BY_3_5)) {
            return Optional.of(FIRST_WITHOUT_PREFIX - 1);
        }
        return RENAMED.contains(plain) ? Optional.of(FIRST_WITHOUT_PREFIX) : Optional.empty();
    }
}
