package etcdoperator.manifest;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.rules.ApiGroup;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.PeerName;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The labels and annotations that tie Kubernetes objects to a cluster. */
public final class Labels {
    public static final String CLUSTER = ApiGroup.RESERVED_PREFIX + "cluster-name";
    public static final String PEER = ApiGroup.RESERVED_PREFIX + "peer-name";

    /** On pods: what a (re)started container tells etcd. Read by the container through its environment. */
    public static final String INITIAL_CLUSTER = ApiGroup.RESERVED_PREFIX + "initial-cluster";

    public static final String INITIAL_CLUSTER_STATE = ApiGroup.RESERVED_PREFIX + "initial-cluster-state";
    public static final String INITIAL_CLUSTER_TOKEN = ApiGroup.RESERVED_PREFIX + "initial-cluster-token";

    /** On claims: the bootstrap they were made for, and who has run on them since. */
    public static final String BOOTSTRAP_TOKEN = ApiGroup.RESERVED_PREFIX + "bootstrap-token";

    public static final String BOOTSTRAP_SIZE = ApiGroup.RESERVED_PREFIX + "bootstrap-size";
    public static final String CLUSTER_ID = ApiGroup.RESERVED_PREFIX + "cluster-id";
    public static final String MEMBER_ID = ApiGroup.RESERVED_PREFIX + "member-id";

    /** The version of etcd that ran on it last: another minor must not be given its data just so. */
    public static final String VERSION = ApiGroup.RESERVED_PREFIX + "etcd-version";

    /** How etcd lists the member on it, so that it is started the same way after everything else is gone. */
    public static final String PEER_SCHEME = ApiGroup.RESERVED_PREFIX + "peer-scheme";

    /** Made for a member that joins a running cluster: nothing is known to be on it yet. */
    public static final String JOINING = ApiGroup.RESERVED_PREFIX + "joining";

    /** Whether a promotion was requested for the member on it, which was added as a learner. */
    public static final String PROMOTION = ApiGroup.RESERVED_PREFIX + "promotion";

    /** The id of the member that is to leave, or has left: such a claim may be deleted once it has. */
    public static final String RETIRED = ApiGroup.RESERVED_PREFIX + "retired";

    /** On claims: the uid of the EtcdRestore that fills it, or has filled it. */
    public static final String RESTORED_BY = ApiGroup.RESERVED_PREFIX + "restored-by";

    /** On claims that a restore in place has put out of the way: the name of that EtcdRestore. */
    public static final String SET_ASIDE_BY = ApiGroup.RESERVED_PREFIX + "set-aside-by";

    /** On clusters: the EtcdRestore that they lie down for, as NAME/UID; empty for none. */
    public static final String RESTORING = ApiGroup.RESERVED_PREFIX + "restoring";

    /** On clusters restored in place: names of claims are made with this, because the plain ones are set aside. */
    public static final String CLAIM_SEED = ApiGroup.RESERVED_PREFIX + "claim-seed";

    /** On clusters that have lost most voters, by users: the claim to go on from, or {@code backup/NAME}. */
    public static final String RECOVER = ApiGroup.RESERVED_PREFIX + "recover";

    /** On EtcdRestores that the operator made to bring a cluster back: the id of the etcd cluster that lost its majority. */
    public static final String RECOVERS = ApiGroup.RESERVED_PREFIX + "recovers";

    /** On such an EtcdRestore: when most voters were last found to be lost still, with the cluster lying down. */
    public static final String LOSS_CONFIRMED = ApiGroup.RESERVED_PREFIX + "loss-confirmed";

    /** On such an EtcdRestore: claims whose data was found to be gone, which nobody can see while no pod is on them. */
    public static final String WITHOUT_DATA = ApiGroup.RESERVED_PREFIX + "claims-without-data";

    /** On such an EtcdRestore: those of them that etcd has found empty, which are looked at once more. */
    public static final String FOUND_EMPTY = ApiGroup.RESERVED_PREFIX + "claims-found-empty";

    /** On such an EtcdRestore: the members that are known to vote, and claims of learners that count as having no vote. */
    public static final String VOTERS = ApiGroup.RESERVED_PREFIX + "voters";

    public static final String LEARNERS = ApiGroup.RESERVED_PREFIX + "learners";

    /** On such an EtcdRestore: members that vote by a log, and were not known to. */
    public static final String VOTERS_FOUND = ApiGroup.RESERVED_PREFIX + "voters-found";

    /** On pods and their templates: a hash over all that users can set of them. */
    public static final String SETTINGS = ApiGroup.RESERVED_PREFIX + "settings";

    /** On pods and their templates: how they speak TLS with clients and with each other; absent where they do not. */
    public static final String CLIENT_TLS = ApiGroup.RESERVED_PREFIX + "client-tls";

    public static final String PEER_TLS = ApiGroup.RESERVED_PREFIX + "peer-tls";

    /** On Jobs and pods of an agent: the EtcdBackup or EtcdRestore that it works for. */
    public static final String BACKUP = ApiGroup.RESERVED_PREFIX + "backup";

    public static final String RESTORE = ApiGroup.RESERVED_PREFIX + "restore";

    /** On EtcdPeers: the EtcdBackup that they stand still for, as NAME/UID, so that it can read their volume. */
    public static final String READ_BY = ApiGroup.RESERVED_PREFIX + "read-by";

    /** On EtcdBackups: the schedule that made them. */
    public static final String SCHEDULE = ApiGroup.RESERVED_PREFIX + "schedule";

    /** On EtcdBackups: their schedule does not keep them any longer, so what is stored goes with them. */
    public static final String EXPIRED = ApiGroup.RESERVED_PREFIX + "expired";

    /** On EtcdBackups, by users: kept whatever their schedule says. */
    public static final String PINNED = ApiGroup.RESERVED_PREFIX + "pinned";

    /** On EtcdBackupSchedules, by users: any other value than before asks for a backup at once. */
    public static final String BACKUP_NOW = ApiGroup.RESERVED_PREFIX + "backup-now";

    /** On EtcdBackupSchedules, by users: any other value than before asks for a drill at once. */
    public static final String DRILL_NOW = ApiGroup.RESERVED_PREFIX + "drill-now";

    /** On Jobs and pods of a drill: the EtcdBackupSchedule that it is for. */
    public static final String DRILL = ApiGroup.RESERVED_PREFIX + "drill";

    /** On Jobs of a drill: the EtcdBackup that is tried. */
    public static final String DRILLED = ApiGroup.RESERVED_PREFIX + "drilled";

    /** On EtcdBackups: when the agent was sent whose last words were lost; another one was sent for these. */
    public static final String UNHEARD = ApiGroup.RESERVED_PREFIX + "unheard";

    /** Holds an EtcdBackup back until what is stored is removed. */
    public static final String STORED_BACKUP = ApiGroup.RESERVED_PREFIX + "stored-backup";

    /** Over what the operator last asked for: tells a field it no longer sets from one that others set. */
    public static final String DESIRED_HASH = ApiGroup.RESERVED_PREFIX + "desired-hash";

    /** On an EtcdBackup that the operator took on its own account: the version that was to come after it. */
    public static final String BEFORE = ApiGroup.RESERVED_PREFIX + "before-version";

    private static final String NAME = "app.kubernetes.io/name";
    private static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    private static final String ETCD = "etcd";
    private static final String OPERATOR = "etcd-operator";
    private static final String AGENT = "etcd-agent";
    private static final String OUT_OF_SERVICE = "etcd-out-of-service";

    private Labels() {}

    /** What leads to the operator's own pods, as the chart labels them. */
    static Map<String, String> operator() {
        return Map.of(NAME, OPERATOR);
    }

    public static ClusterKey keyOf(EtcdCluster cluster) {
        return new ClusterKey(
                cluster.getMetadata().getNamespace(), cluster.getMetadata().getName());
    }

    /** What an annotation of ours says; one that is empty says nothing. */
    public static Optional<String> said(EtcdCluster cluster, String annotation) {
        return Optional.ofNullable(cluster.getMetadata().getAnnotations())
                .flatMap(annotations -> Optional.ofNullable(annotations.get(annotation)))
                .filter(word -> !word.isEmpty());
    }

    public static Map<String, String> ofCluster(ClusterKey cluster) {
        return new TreeMap<>(
                Map.of(CLUSTER, cluster.name(), NAME, ETCD, ArgoCd.INSTANCE, cluster.name(), MANAGED_BY, OPERATOR));
    }

    public static Map<String, String> ofPeer(ClusterKey cluster, PeerName peer) {
        Map<String, String> labels = ofCluster(cluster);
        labels.put(PEER, peer.toString());
        return labels;
    }

    /** @param kind {@link #BACKUP}, {@link #RESTORE} or {@link #DRILL} */
    public static Map<String, String> ofAgent(String kind, String name) {
        return new TreeMap<>(Map.of(kind, name, NAME, AGENT, ArgoCd.INSTANCE, name, MANAGED_BY, OPERATOR));
    }

    /** On what nobody owns. {@link ArgoCd} says why it lacks one. */
    public static Map<String, String> ofUnowned(ClusterKey cluster) {
        return ArgoCd.without(ofCluster(cluster));
    }

    /** The same on claims. */
    public static Map<String, String> ofClaim(ClusterKey cluster, PeerName peer) {
        return ArgoCd.without(ofPeer(cluster, peer));
    }

    /** On a claim that a restore fills. */
    static Map<String, String> ofFilledClaim(String restore) {
        return ArgoCd.without(ofAgent(RESTORE, restore));
    }

    static boolean isMadeByOperator(HasMetadata object) {
        return object.getMetadata().getLabels() != null
                && OPERATOR.equals(object.getMetadata().getLabels().get(MANAGED_BY));
    }

    /** What leads to the pods that serve clients: one that is taken out loses the second of them. */
    public static Map<String, String> serving(ClusterKey cluster) {
        return Map.of(CLUSTER, cluster.name(), NAME, ETCD);
    }

    public static boolean isOutOfService(HasMetadata pod) {
        return OUT_OF_SERVICE.equals(pod.getMetadata().getLabels().get(NAME));
    }

    public static Map<String, String> outOfService(boolean out) {
        return Map.of(NAME, out ? OUT_OF_SERVICE : ETCD);
    }

    /** Selectors never change, so they hold only what never changes. */
    public static Map<String, String> selectorOf(ClusterKey cluster) {
        return Map.of(CLUSTER, cluster.name());
    }
}
