package etcdoperator.api;

/** The longer rules on {@link EtcdOptions}. */
final class EtcdOptionsRules {
    static final String SHORT_TIME = "^([0-9]{1,6}(ms|s))+$";
    static final String GATES = "^[A-Za-z0-9]+=(true|false)(,[A-Za-z0-9]+=(true|false))*$";

    /** Other rules refuse what is no duration; asked for its length it would only be an error here. */
    static final String ELECTION_AFTER_FIVE_HEARTBEATS =
            "(has(self.heartbeatInterval) && !self.heartbeatInterval.matches('" + SHORT_TIME + "'))"
                    + " || (has(self.electionTimeout) && !self.electionTimeout.matches('" + SHORT_TIME + "'))"
                    + " || [has(self.heartbeatInterval) ? duration(self.heartbeatInterval) : duration('100ms')]"
                    + ".all(h, h + h + h + h + h <="
                    + " (has(self.electionTimeout) ? duration(self.electionTimeout) : duration('1s')))";

    /** Who a member is and where it listens. */
    static final String IDENTITY = "^(name|data-dir|wal-dir|config-file|version|help|h|listen-.*|advertise-.*)$";

    /** Whom a member belongs to. Strict checks are what keeps a quorum when everybody else errs. */
    static final String MEMBERSHIP =
            "^(initial-(advertise|cluster).*|discovery.*|force-new-cluster" + "|strict-reconfig-check|proxy.*)$";

    static final String TRUST = "^((peer-)?auto-tls|cipher-suites|tls-.*|self-signed-cert-validity"
            + "|(peer-)?(client-)?(cert|key|crl|trusted-ca)-.*|(experimental-)?peer-skip-client-san-verification)$";

    static final String FIELDS = "['quota-backend-bytes', 'snapshot-count', 'auto-compaction-mode',"
            + " 'auto-compaction-retention', 'heartbeat-interval', 'election-timeout']";

    private static final String MUST_NOT_HAVE = " in self ? 'spec.etcd.extraArgs must not have ";

    static final String FIELDS_MESSAGE = "'quota-backend-bytes'" + MUST_NOT_HAVE
            + "quota-backend-bytes: use spec.etcd.quotaBackendBytes' : 'snapshot-count'" + MUST_NOT_HAVE
            + "snapshot-count: use spec.etcd.snapshotCount' : 'auto-compaction-mode'" + MUST_NOT_HAVE
            + "auto-compaction-mode: use spec.etcd.autoCompaction.mode' : 'auto-compaction-retention'" + MUST_NOT_HAVE
            + "auto-compaction-retention: use spec.etcd.autoCompaction.retention' : 'heartbeat-interval'"
            + MUST_NOT_HAVE
            + "heartbeat-interval: use spec.etcd.heartbeatInterval'"
            + " : 'spec.etcd.extraArgs must not have election-timeout: use spec.etcd.electionTimeout'";

    private EtcdOptionsRules() {}
}
