package etcdoperator.restore;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.OperationStatus;
import etcdoperator.api.OperationType;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatusBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Whoever acts beside a restore: the Job controller, the cluster's own pass, the garbage collector and people. */
final class Others {
    static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-01T12:00:00Z"), ZoneOffset.UTC);
    static final String OLD_ID = "c1";
    private static final String SAID = """
            {"state": "Completed", "etcdVersion": "3.6.16", "revision": 42, "source": "c-0", "term": 2, "index": 9, "time": "2026-01-01T11:00:00Z"}
            """;

    private final World world;
    private boolean well = true;
    private boolean idle;

    Others(World world) {
        this.world = world;
    }

    List<String> claimsOf(String cluster) {
        return world.all(PersistentVolumeClaim.class).stream()
                .filter(claim -> cluster.equals(claim.getMetadata().getLabels().get(Labels.CLUSTER)))
                .map(claim -> claim.getMetadata().getName())
                .toList();
    }

    /** From now on no Job does well. */
    void failing() {
        well = false;
    }

    /** From now on no Job does anything. */
    void idle() {
        idle = true;
    }

    void act() {
        actButFor(List.of(), job -> {});
    }

    /** @param apart Jobs that come to another end */
    void actButFor(List<Job> apart, Consumer<Job> end) {
        if (!idle) {
            apart.forEach(end);
            world.all(Job.class).stream().filter(job -> job.getStatus() == null).forEach(job -> finish(job, well));
        }
        world.get(EtcdCluster.class, "c").ifPresent(this::clusterActs);
    }

    void finish(Job job, boolean well) {
        finish(job, well, "2026-01-01T12:00:00Z");
    }

    void finish(Job job, boolean well, String at) {
        job.setStatus(new JobStatusBuilder()
                .addNewCondition()
                .withType(well ? "Complete" : "Failed")
                .withReason(well ? "CompletionsReached" : "PodFailurePolicy")
                .withLastTransitionTime(at)
                .withStatus("True")
                .endCondition()
                .build());
        world.put(job);
        world.put(new PodBuilder()
                .withNewMetadata()
                .withName(job.getMetadata().getName() + "-x")
                .withCreationTimestamp("2026-01-01T12:00:00Z")
                .withLabels(job.getMetadata().getLabels())
                .addNewOwnerReference()
                .withUid(job.getMetadata().getUid())
                .endOwnerReference()
                .endMetadata()
                .withNewStatus()
                .addNewContainerStatus()
                .withName("agent")
                .withNewState()
                .withNewTerminated()
                .withExitCode(well ? 0 : 2)
                .withMessage(well ? SAID : "{\"state\": \"Failed\", \"message\": \"The object is corrupt\"}")
                .endTerminated()
                .endState()
                .endContainerStatus()
                .endStatus()
                .build());
    }

    /** Whether it was told to, for a restore. */
    boolean clusterLiesDown() {
        return !world.get(EtcdCluster.class, "c")
                .orElseThrow()
                .getMetadata()
                .getAnnotations()
                .getOrDefault(Labels.RESTORING, "")
                .isEmpty();
    }

    /** As far as a restore sees it: it takes the lock and its peers go, or it comes up on the claims it has. */
    private void clusterActs(EtcdCluster cluster) {
        EtcdClusterStatus before = cluster.getStatus() == null ? EtcdClusterStatus.EMPTY : cluster.getStatus();
        if (clusterLiesDown()) {
            world.all(EtcdPeer.class).forEach(world::remove);
            cluster.setStatus(
                    before.withOperation(new OperationStatus(OperationType.RESTORE, "back", CLOCK.instant(), "")));
            world.put(cluster);
        } else if (world.all(EtcdPeer.class).isEmpty()) {
            String id = claimsOf("c").stream()
                    .flatMap(name -> world.get(PersistentVolumeClaim.class, name).stream())
                    .map(claim -> claim.getMetadata().getAnnotations().get(Labels.CLUSTER_ID))
                    .distinct()
                    .reduce((one, other) -> {
                        throw new AssertionError("data of two clusters: " + one + " and " + other);
                    })
                    .orElseThrow();
            assertThat(before.clusterId()).isIn(null, id);
            cluster.setStatus(running(id));
            world.put(cluster);
            claimsOf("c").forEach(this::havePeer);
        }
    }

    private static EtcdClusterStatus running(String clusterId) {
        return Serialization.unmarshal("""
                clusterId: "%s"
                conditions: [{type: Available, status: "True", reason: Healthy, message: All is well}]
                """.formatted(clusterId), EtcdClusterStatus.class);
    }

    private void havePeer(String claim) {
        var peer = new EtcdPeer();
        peer.setMetadata(new ObjectMetaBuilder()
                .withName(claim)
                .addToLabels(Labels.CLUSTER, "c")
                .build());
        world.put(peer);
    }

    void delete() {
        world.get(EtcdRestore.class, "back").ifPresent(restore -> {
            restore.getMetadata().setDeletionTimestamp("2026-01-01T12:00:00Z");
            world.put(restore);
            if (restore.getMetadata().getFinalizers().isEmpty()) {
                world.remove(restore);
                // As the garbage collector does.
                world.all(PersistentVolumeClaim.class).stream()
                        .filter(claim ->
                                !claim.getMetadata().getOwnerReferences().isEmpty())
                        .forEach(world::remove);
            }
        });
    }

    void wantRestore(boolean inPlace) {
        world.put(Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdRestore
                metadata: {name: back, uid: r1, creationTimestamp: "2026-01-01T12:00:00Z"}
                spec:
                  source: {bucket: {bucketURL: "s3://b", objectPath: one.db}}
                  inPlace: %s
                  clusterTemplate:
                    clusterName: c
                """.formatted(inPlace) + (inPlace ? "" : """
                    spec: {replicas: 3, storage: {volumeClaimTemplate: {resources: {requests: {storage: 1Gi}}}}}
                """), EtcdRestore.class));
    }

    /** @param more survivors, as in a list of YAML */
    void wantSalvage(String more) {
        world.put(Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdRestore
                metadata: {name: back, uid: r1, creationTimestamp: "2026-01-01T12:00:00Z"}
                spec:
                  source: {claim: c-0, orClaims: [%s]}
                  inPlace: true
                  clusterTemplate: {clusterName: c}
                """.formatted(more), EtcdRestore.class));
    }

    void haveCluster() {
        EtcdCluster cluster = Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdCluster
                metadata: {name: c, uid: u1, annotations: {}, creationTimestamp: "2026-01-01T11:00:00Z"}
                spec:
                  replicas: 2
                  version: 3.6.16
                  storage: {volumeClaimTemplate: {resources: {requests: {storage: 1Gi}}}}
                """, EtcdCluster.class);
        cluster.setStatus(running(OLD_ID));
        world.put(cluster);
        for (String name : List.of("c-0", "c-1")) {
            world.put(new PersistentVolumeClaimBuilder()
                    .withNewMetadata()
                    .withName(name)
                    .withLabels(Map.of(Labels.CLUSTER, "c", Labels.PEER, name))
                    .withAnnotations(Map.of(Labels.CLUSTER_ID, OLD_ID, Labels.MEMBER_ID, "a0"))
                    .withCreationTimestamp("2026-01-01T11:00:00Z")
                    .endMetadata()
                    .build());
            havePeer(name);
        }
    }
}
