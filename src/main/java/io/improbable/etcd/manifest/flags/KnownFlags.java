package io.improbable.etcd.manifest.flags;

import io.improbable.etcd.domain.EtcdVersion;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The flags and feature gates of each line that is tested, as its binary takes them. That is not quite what its help
 * says: some are left out there, and 3.7 still prints discovery and discovery-proxy, and exits when it sees them.
 */
final class KnownFlags {
    /** The first and the last minor that has them, then the names. */
    private static final Map<String, List<Integer>> FLAGS = read("""
            4-7 advertise-client-urls auth-token auth-token-ttl auto-compaction-mode auto-compaction-retention
            4-7 auto-tls backend-batch-interval backend-batch-limit bcrypt-cost cert-file cipher-suites
            4-7 client-cert-allowed-hostname client-cert-auth client-crl-file config-file cors data-dir
            4-7 discovery-fallback discovery-srv discovery-srv-name election-timeout enable-grpc-gateway
            4-7 enable-pprof force-new-cluster grpc-keepalive-interval grpc-keepalive-min-time
            4-7 grpc-keepalive-timeout heartbeat-interval host-whitelist initial-advertise-peer-urls initial-cluster
            4-7 initial-cluster-state initial-cluster-token initial-election-tick-advance key-file
            4-7 listen-client-urls listen-metrics-urls listen-peer-urls log-level log-outputs logger
            4-7 max-concurrent-streams max-request-bytes max-snapshots max-txn-ops max-wals metrics name
            4-7 peer-auto-tls peer-cert-allowed-cn peer-cert-allowed-hostname peer-cert-file peer-client-cert-auth
            4-7 peer-crl-file peer-key-file peer-trusted-ca-file pre-vote quota-backend-bytes snapshot-count
            4-7 strict-reconfig-check trusted-ca-file unsafe-no-fsync wal-dir
            4-6 discovery discovery-proxy experimental-compaction-batch-limit experimental-corrupt-check-time
            4-6 experimental-enable-lease-checkpoint experimental-enable-lease-checkpoint-persist
            4-6 experimental-initial-corrupt-check experimental-peer-skip-client-san-verification
            4-6 experimental-warning-apply-duration experimental-watch-progress-notify-interval
            4-5 enable-v2 experimental-enable-v2v3 proxy proxy-dial-timeout proxy-failure-wait proxy-read-timeout
            4-5 proxy-refresh-interval proxy-write-timeout
            4-4 debug experimental-backend-bbolt-freelist-type log-output log-package-levels
            5-7 backend-bbolt-freelist-type client-cert-file client-key-file enable-log-rotation
            5-7 listen-client-http-urls log-rotation-config-json peer-client-cert-file peer-client-key-file
            5-7 raft-read-timeout raft-write-timeout self-signed-cert-validity socket-reuse-address
            5-7 socket-reuse-port tls-max-version tls-min-version v2-deprecation
            5-6 experimental-bootstrap-defrag-threshold-megabytes experimental-compact-hash-check-enabled
            5-6 experimental-compact-hash-check-time experimental-compaction-sleep-interval
            5-6 experimental-distributed-tracing-address experimental-distributed-tracing-instance-id
            5-6 experimental-distributed-tracing-sampling-rate experimental-distributed-tracing-service-name
            5-6 experimental-downgrade-check-time experimental-enable-distributed-tracing experimental-memory-mlock
            5-6 experimental-snapshot-catchup-entries experimental-stop-grpc-service-on-defrag
            5-6 experimental-txn-mode-write-with-shared-buffer
            6-7 bootstrap-defrag-threshold-megabytes compact-hash-check-time compaction-batch-limit
            6-7 compaction-sleep-interval corrupt-check-time discovery-cacert discovery-cert discovery-dial-timeout
            6-7 discovery-endpoints discovery-insecure-skip-tls-verify discovery-insecure-transport
            6-7 discovery-keepalive-time discovery-keepalive-timeout discovery-key discovery-password
            6-7 discovery-request-timeout discovery-token discovery-user distributed-tracing-address
            6-7 distributed-tracing-instance-id distributed-tracing-sampling-rate distributed-tracing-service-name
            6-7 downgrade-check-time enable-distributed-tracing feature-gates log-format max-learners memory-mlock
            6-7 peer-skip-client-san-verification snapshot-catchup-entries warning-apply-duration
            6-7 warning-unary-request-duration watch-progress-notify-interval
            6-6 experimental-warning-unary-request-duration
            """);

    private static final Map<String, List<Integer>> GATES = read("""
            6-7 AllAlpha AllBeta CompactHashCheck InitialCorruptCheck LeaseCheckpoint LeaseCheckpointPersist
            6-7 SetMemberLocalAddr StopGRPCServiceOnDefrag TxnModeWriteWithSharedBuffer
            7-7 FastLeaseKeepAlive PriorityRequest
            """);

    private KnownFlags() {}

    static boolean hasFlag(String flag, EtcdVersion version) {
        return FLAGS.getOrDefault(flag, List.of()).contains(version.minor());
    }

    static boolean hasGate(String gate, EtcdVersion version) {
        return GATES.getOrDefault(gate, List.of()).contains(version.minor());
    }

    private static Map<String, List<Integer>> read(String table) {
        Map<String, List<Integer>> minors = new HashMap<>();
        table.lines().forEach(line -> {
            String[] words = line.split(" ");
            String[] range = words[0].split("-");
            List<Integer> these = IntStream.rangeClosed(Integer.parseInt(range[0]), Integer.parseInt(range[1]))
                    .boxed()
                    .toList();
            for (String name : List.of(words).subList(1, words.length)) {
                minors.put(name, these);
            }
        });
        return Map.copyOf(minors);
    }
}
