package etcdoperator.simulation.rules;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.api.backup.EtcdBackupStatus.BackupPhase;
import etcdoperator.domain.ClusterId;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.store.StoredSnapshot;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a backup that is complete must be, and stay. */
public final class BackupRules {
    private final World world;
    private final Rules rules;
    private final Map<String, Begun> begun = new HashMap<>();
    private final Map<String, Recorded> recorded = new HashMap<>();

    /**
     * A backup whose first agent was sent.
     *
     * @param ids of the etcd cluster that its EtcdCluster was since then
     * @param owed what was acknowledged by then, by the id of the cluster
     */
    private record Begun(Set<ClusterId> ids, Map<ClusterId, Set<Integer>> owed) {}

    /** An object that a status names. */
    private record Recorded(String backup, String uid, String sha256) {}

    BackupRules(World world, Rules rules) {
        this.world = world;
        this.rules = rules;
    }

    /** How many were completed. */
    public int count() {
        return recorded.size();
    }

    /** An agent is sent for a backup. */
    void sent(Job job) {
        if (job.getMetadata().getLabels().containsKey(Labels.BACKUP)) {
            begun.computeIfAbsent(Objects.controllerUid(job).orElseThrow(), uid -> begun());
        }
    }

    private Begun begun() {
        Set<ClusterId> ids = new HashSet<>();
        world.cluster()
                .flatMap(cluster -> Optional.ofNullable(cluster.getStatus()))
                .flatMap(BackupRules::id)
                .ifPresent(ids::add);
        Map<ClusterId, Set<Integer>> owed = new HashMap<>();
        world.etcd().clusters().forEach(id -> owed.put(id, Set.copyOf(world.etcd().acknowledged(id))));
        return new Begun(ids, owed);
    }

    private static Optional<ClusterId> id(EtcdClusterStatus status) {
        return Optional.ofNullable(status.clusterId()).map(ClusterId::parse);
    }

    /** A recovery gives a cluster another id. */
    void reported(EtcdCluster cluster, EtcdClusterStatus status) {
        id(status).ifPresent(id -> begun.values().forEach(backup -> backup.ids().add(id)));
    }

    void reported(EtcdBackup before, EtcdBackupStatus after) {
        boolean was = isCompleted(before.getStatus());
        if (was && !sameObject(before.getStatus(), after)) {
            rules.broken(
                    Invariant.A_BACKUP_STAYS_AS_IT_IS,
                    "%s was %s, and is %s".formatted(Objects.describe(before), before.getStatus(), after));
        }
        if (!was && isCompleted(after)) {
            completed(before, after);
        }
    }

    private static boolean isCompleted(EtcdBackupStatus status) {
        return status != null && status.phase() == BackupPhase.COMPLETED;
    }

    private static boolean sameObject(EtcdBackupStatus one, EtcdBackupStatus other) {
        return isCompleted(other)
                && java.util.Objects.equals(one.path(), other.path())
                && java.util.Objects.equals(one.sha256(), other.sha256());
    }

    private void completed(EtcdBackup backup, EtcdBackupStatus status) {
        String name = Objects.describe(backup);
        Optional<StoredSnapshot> object = world.store()
                .object(status.path())
                .filter(found -> found.sha256().equals(status.sha256()));
        if (object.isEmpty()) {
            rules.broken(
                    Invariant.A_COMPLETED_BACKUP_IS_STORED,
                    "%s is complete with hash %s, and at %s is %s"
                            .formatted(name, status.sha256(), status.path(), world.store().object(status.path())));
            return;
        }
        String uid = backup.getMetadata().getUid();
        recorded.put(status.path(), new Recorded(backup.getMetadata().getName(), uid, status.sha256()));
        holdsAStateOfItsCluster(name, object.get(), begun.getOrDefault(uid, new Begun(Set.of(), Map.of())), status);
    }

    private void holdsAStateOfItsCluster(String name, StoredSnapshot object, Begun since, EtcdBackupStatus status) {
        if (!since.ids().isEmpty() && !since.ids().contains(object.cluster())) {
            rules.broken(
                    Invariant.A_BACKUP_IS_OF_ITS_CLUSTER,
                    "%s is of %s, and its cluster was %s".formatted(name, object.cluster(), since.ids()));
        }
        if (rules.areExcused()) {
            return;
        }
        List<Integer> agreed = rules.membership()
                .agreed(object.cluster())
                .map(data -> data.everyWrite().stream()
                        .limit(object.values().size())
                        .sorted()
                        .toList())
                .orElse(List.of());
        if (!agreed.equals(object.values())) {
            rules.broken(
                    Invariant.A_COMPLETED_BACKUP_IS_STORED,
                    "%s holds %s, and the cluster never held more than a part of that: %s"
                            .formatted(name, object.values(), agreed));
        }
        Set<Integer> missing = new HashSet<>(since.owed().getOrDefault(object.cluster(), Set.of()));
        missing.removeAll(object.values());
        boolean said = status.conditions().stream()
                .map(condition -> condition.getMessage())
                .anyMatch(message -> message.contains("could be asked") || message.contains("are not in it"));
        if (!missing.isEmpty() && !said) {
            rules.broken(
                    Invariant.A_BACKUP_LACKS_NOTHING,
                    "%s lacks writes %s that were acknowledged before it began".formatted(name, missing));
        }
    }

    /** An agent stores an object. */
    void stored(String path, StoredSnapshot snapshot) {
        Recorded there = recorded.get(path);
        if (there != null && !there.sha256().equals(snapshot.sha256()) && isThere(there)) {
            rules.broken(
                    Invariant.A_BACKUP_STAYS_AS_IT_IS,
                    "EtcdBackup %s is complete, and %s is stored in its place"
                            .formatted(there.backup(), snapshot.sha256()));
        }
    }

    private boolean isThere(Recorded object) {
        return find(object).filter(backup -> !Objects.isDeleting(backup)).isPresent();
    }

    private Optional<EtcdBackup> find(Recorded object) {
        return world.server()
                .get(EtcdBackup.class, object.backup())
                .filter(backup -> backup.getMetadata().getUid().equals(object.uid()));
    }

    /** An agent removes an object. */
    void erased(String path) {
        Recorded there = recorded.get(path);
        if (there != null && isThere(there)) {
            rules.broken(
                    Invariant.ONLY_WHAT_IS_DELETED_IS_ERASED,
                    "EtcdBackup %s is complete and was not deleted, and its object is removed"
                            .formatted(there.backup()));
        }
    }
}
