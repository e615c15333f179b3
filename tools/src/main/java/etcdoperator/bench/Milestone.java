package etcdoperator.bench;

/** What comes to be, in this order, between an apply and healthy members. Each is reached when all members have. */
enum Milestone {
    CLAIMS_MADE("claims made"),
    CLAIMS_BOUND("claims bound"),
    PEERS_MADE("EtcdPeers made"),
    REPLICA_SETS_MADE("ReplicaSets made"),
    PODS_MADE("pods made"),
    PODS_SCHEDULED("pods scheduled"),
    PODS_RUNNING("containers running"),
    HEALTHY("healthy"),
    PODS_READY("pods ready"),
    REPORTED("Available, all ready in status");

    private final String words;

    Milestone(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }
}
