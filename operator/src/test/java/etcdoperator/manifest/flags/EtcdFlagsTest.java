package etcdoperator.manifest.flags;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdOptions;
import etcdoperator.domain.EtcdVersion;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EtcdFlagsTest {
    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.5.35", "3.6.16", "3.7.3"})
    void fieldsAreFlagsOfTheSameNameEverywhere(String version) {
        assertThat(flags(version, """
                quotaBackendBytes: 8589934592
                autoCompaction: {mode: Revision, retention: 1000}
                snapshotCount: 5000
                heartbeatInterval: 250ms
                electionTimeout: 2s500ms
                """))
                .contains(
                        "--auto-compaction-mode=revision",
                        "--auto-compaction-retention=1000",
                        "--election-timeout=2500",
                        "--heartbeat-interval=250",
                        "--quota-backend-bytes=8589934592",
                        "--snapshot-count=5000");
    }

    @Test
    void withoutAModeEtcdTakesRetentionForATime() {
        assertThat(flags("3.6.16", "autoCompaction: {retention: 1h}"))
                .containsExactly("--auto-compaction-retention=1h");
        assertThat(flags("3.6.16", "autoCompaction: {mode: Periodic, retention: 1h}"))
                .containsExactly("--auto-compaction-mode=periodic", "--auto-compaction-retention=1h");
    }

    @Test
    void whatOlderLinesDoNotDoByThemselves() {
        assertThat(flags("3.4.23", "")).containsExactly("--pre-vote=true", "--snapshot-count=10000");
        assertThat(flags("3.5.35", "")).containsExactly("--snapshot-count=10000");
        assertThat(flags("3.6.16", "")).isEmpty();
        assertThat(flags("3.7.3", "")).isEmpty();
    }

    @Test
    void whatTheUserSaysHolds() {
        assertThat(flags("3.4.23", """
                snapshotCount: 77
                extraArgs: {pre-vote: 'false'}
                """)).containsExactly("--pre-vote=false", "--snapshot-count=77");
    }

    @ParameterizedTest
    @CsvSource({
        "3.4.23, corrupt-check-time, experimental-corrupt-check-time",
        "3.5.35, corrupt-check-time, experimental-corrupt-check-time",
        "3.6.16, corrupt-check-time, corrupt-check-time",
        "3.7.3, corrupt-check-time, corrupt-check-time",
        "3.4.23, backend-bbolt-freelist-type, experimental-backend-bbolt-freelist-type",
        "3.5.35, backend-bbolt-freelist-type, backend-bbolt-freelist-type",
        "3.7.3, backend-bbolt-freelist-type, backend-bbolt-freelist-type",
        "3.3.27, corrupt-check-time, experimental-corrupt-check-time",
        "3.8.0, corrupt-check-time, corrupt-check-time"
    })
    void eitherNameIsWrittenAsTheVersionHasIt(String version, String plain, String expected) {
        for (String written : List.of(plain, "experimental-" + plain)) {
            assertThat(flags(version, "extraArgs: {%s: x}".formatted(written))).contains("--" + expected + "=x");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "3.4.23, --experimental-initial-corrupt-check=true",
        "3.5.35, --experimental-initial-corrupt-check=true",
        "3.6.16, --feature-gates=InitialCorruptCheck=true",
        "3.7.3, --feature-gates=InitialCorruptCheck=true"
    })
    void aGateIsAFlagBeforeThereWereGates(String version, String expected) {
        assertThat(flags(version, "extraArgs: {experimental-initial-corrupt-check: 'true'}"))
                .contains(expected);
        assertThat(flags(version, "extraArgs: {feature-gates: InitialCorruptCheck=true}"))
                .contains(expected);
    }

    @Test
    void gatesAreGatheredInOneFlag() {
        String options = """
                extraArgs:
                  feature-gates: TxnModeWriteWithSharedBuffer=false,CompactHashCheck=true
                  experimental-initial-corrupt-check: 'true'
                  max-txn-ops: '256'
                """;
        assertThat(flags("3.7.3", options))
                .containsExactly(
                        "--feature-gates=CompactHashCheck=true,InitialCorruptCheck=true,TxnModeWriteWithSharedBuffer=false",
                        "--max-txn-ops=256");
        assertThat(flags("3.5.35", options))
                .containsExactly(
                        "--experimental-compact-hash-check-enabled=true",
                        "--experimental-initial-corrupt-check=true",
                        "--experimental-txn-mode-write-with-shared-buffer=false",
                        "--max-txn-ops=256",
                        "--snapshot-count=10000");
    }

    @Test
    void theOrderInTheManifestDoesNotCount() {
        assertThat(flags("3.6.16", "extraArgs: {max-wals: '3', cors: x}"))
                .isEqualTo(flags("3.6.16", "extraArgs: {cors: x, max-wals: '3'}"))
                .containsExactly("--cors=x", "--max-wals=3");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3.6.16 | enable-v2 | is not a flag of etcd 3.6, and an unknown one keeps it from starting: remove it (lines that have it: 3.4, 3.5)",
                "3.5.35 | max-learners | is not a flag of etcd 3.5, and an unknown one keeps it from starting: remove it (lines that have it: 3.6, 3.7)",
                "3.4.23 | memory-mlock | is not a flag of etcd 3.4, and an unknown one keeps it from starting: remove it (lines that have it: 3.5, 3.6, 3.7)",
                "3.5.35 | debug | is not a flag of etcd 3.5, and an unknown one keeps it from starting: remove it (lines that have it: 3.4)",
                "3.7.3 | discovery | is not a flag of etcd 3.7, and an unknown one keeps it from starting: remove it (lines that have it: 3.4, 3.5, 3.6)",
                "3.6.16 | max-tnx-ops | is not a flag of etcd 3.6, and an unknown one keeps it from starting: correct or remove it",
            })
    void aFlagThatTheLineDoesNotHaveIsNamed(String version, String flag, String problem) {
        assertThat(problem(version, "extraArgs: {%s: x}".formatted(flag)))
                .contains("spec.etcd.extraArgs." + flag + " " + problem);
    }

    @Test
    void aGateThatTheLineDoesNotHaveIsNamed() {
        assertThat(problem("3.6.16", "extraArgs: {feature-gates: 'AllAlpha=false,FastLeaseKeepAlive=true'}"))
                .contains("spec.etcd.extraArgs.feature-gates names FastLeaseKeepAlive, which is not a feature gate of"
                        + " etcd 3.6, and an unknown one keeps it from starting: remove it (lines that have it: 3.7)");
        assertThat(problem("3.5.35", "extraArgs: {feature-gates: SetMemberLocalAddr=true}"))
                .contains(
                        "spec.etcd.extraArgs.feature-gates names SetMemberLocalAddr, which is not a feature gate of"
                                + " etcd 3.5, and an unknown one keeps it from starting: remove it (lines that have it: 3.6, 3.7)");
    }

    @Test
    void oneThingUnderTwoNamesHasOneValue() {
        assertThat(problem("3.6.16", "extraArgs: {corrupt-check-time: 1h, experimental-corrupt-check-time: 2h}"))
                .contains(
                        "spec.etcd.extraArgs.corrupt-check-time and spec.etcd.extraArgs.experimental-corrupt-check-time"
                                + " are the same to etcd 3.6, but have different values: keep one of them");
        assertThat(
                        problem(
                                "3.5.35",
                                "extraArgs: {experimental-initial-corrupt-check: 'true', feature-gates: InitialCorruptCheck=false}"))
                .contains("spec.etcd.extraArgs.experimental-initial-corrupt-check and spec.etcd.extraArgs.feature-gates"
                        + " are the same to etcd 3.5, but have different values: keep one of them");
        assertThat(problem("3.6.16", "extraArgs: {feature-gates: 'AllBeta=true,AllBeta=false'}"))
                .contains(
                        "spec.etcd.extraArgs.feature-gates has AllBeta twice, with different values: keep one of them");
        assertThat(problem("3.6.16", "extraArgs: {corrupt-check-time: 1h, experimental-corrupt-check-time: 1h}"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.3.27", "3.8.0"})
    void nothingIsKnownOfOtherLines(String version) {
        assertThat(problem(version, "extraArgs: {anything: x, feature-gates: Goes=true}"))
                .isEmpty();
    }

    private static List<String> flags(String version, String options) {
        return EtcdFlags.of(options(options), EtcdVersion.parse(version));
    }

    private static Optional<String> problem(String version, String options) {
        return EtcdFlags.problem(options(options), EtcdVersion.parse(version));
    }

    private static EtcdOptions options(String yaml) {
        return yaml.isEmpty() ? EtcdOptions.DEFAULT : Serialization.unmarshal(yaml, EtcdOptions.class);
    }
}
