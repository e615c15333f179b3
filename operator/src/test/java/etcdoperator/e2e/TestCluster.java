package etcdoperator.e2e;

import static etcdoperator.e2e.Patience.eventually;
import static etcdoperator.e2e.Testbed.KUBE;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.MemberStatus;
import etcdoperator.api.StorageSpec;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpecBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** An EtcdCluster, its objects as Kubernetes has them, and what a test waits for. */
record TestCluster(String namespace, String name, EtcdClusterSpec spec) {
    static final String VERSION = "3.6.16";
    private static final String CLUSTER_LABEL = "etcd.improbable.io/cluster-name";
    private static final String PEER_LABEL = "etcd.improbable.io/peer-name";

    static EtcdClusterSpec members(int count) {
        return EtcdClusterSpec.of(count, VERSION, storage("standard"));
    }

    static StorageSpec storage(String storageClass) {
        return new StorageSpec(new PersistentVolumeClaimSpecBuilder()
                .withStorageClassName(storageClass)
                .withNewResources()
                .withRequests(Map.of("storage", new Quantity("50Mi")))
                .endResources()
                .build());
    }

    TestCluster create() {
        KUBE.resource(manifest(spec)).create();
        return this;
    }

    private EtcdCluster manifest(EtcdClusterSpec wanted) {
        var cluster = new EtcdCluster();
        cluster.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        cluster.setSpec(wanted);
        return cluster;
    }

    /** Deletes the EtcdCluster itself; what it owns follows. */
    void delete() {
        KUBE.resources(EtcdCluster.class).inNamespace(namespace).withName(name).delete();
    }

    EtcdCluster object() {
        return KUBE.resources(EtcdCluster.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    EtcdClusterStatus status() {
        return Objects.requireNonNullElse(object().getStatus(), EtcdClusterStatus.EMPTY);
    }

    /** @return the condition, or one of status Unknown where there is none yet */
    Condition condition(String type) {
        return status().conditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst()
                .orElseGet(() -> new Condition("", "", 0L, "", "Unknown", type));
    }

    private static boolean holds(EtcdClusterStatus status, String type) {
        return status.conditions().stream().anyMatch(c -> c.getType().equals(type) && "True".equals(c.getStatus()));
    }

    boolean is(String type) {
        return holds(status(), type);
    }

    /** As {@code kubectl scale} does. */
    void scale(int replicas) {
        Testbed.kubectl("scale", "-n", namespace, "etcd/" + name, "--replicas=" + replicas);
    }

    /** As {@code kubectl patch} of some fields of the spec does. */
    void change(Map<String, Object> fields) {
        KUBE.resources(EtcdCluster.class)
                .inNamespace(namespace)
                .withName(name)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        KUBE.getKubernetesSerialization().asJson(Map.of("spec", fields)));
    }

    /** As {@code kubectl apply} of the manifest with another size does. */
    void apply(int replicas) {
        KUBE.resource(manifest(spec.withReplicas(replicas))).forceConflicts().serverSideApply();
    }

    /** Waits until every member is well and nothing is under way. */
    TestCluster awaitHealthy() {
        return awaitMembers(object().getSpec().replicas());
    }

    TestCluster awaitMembers(int healthy) {
        eventually().untilAsserted(() -> {
            // Looked at once: two looks might see half of each of two states.
            EtcdCluster now = object();
            EtcdClusterStatus status = Objects.requireNonNullElse(now.getStatus(), EtcdClusterStatus.EMPTY);
            assertThat(status.readyReplicas())
                    .as("members of %s: %s", name, conditions())
                    .isEqualTo(healthy);
            assertThat(holds(status, "Available")).as(conditions()).isTrue();
            assertThat(status.leader()).isNotNull();
            if (healthy == now.getSpec().replicas()) {
                assertThat(holds(status, "Progressing") || holds(status, "Degraded"))
                        .as(conditions())
                        .isFalse();
                assertThat(status.operation()).isNull();
                assertThat(status.observedGeneration())
                        .isEqualTo(now.getMetadata().getGeneration());
            }
        });
        return this;
    }

    /** Waits until there are exactly the members of this size, each with its one claim, and nothing of any other. */
    TestCluster awaitSize(int replicas) {
        awaitSizeOfAnyNames(replicas);
        assertThat(peers()).extracting(peer -> peer.getMetadata().getName()).isEqualTo(names(replicas));
        return this;
    }

    /** Who is not well yet leaves first: after a start of all members at once that may be any of them. */
    TestCluster awaitSizeOfAnyNames(int replicas) {
        awaitMembers(replicas);
        eventually().untilAsserted(() -> {
            assertThat(status().members()).hasSameSizeAs(peers()).hasSize(replicas);
            assertThat(pods()).hasSize(replicas);
            assertThat(claims())
                    .extracting(claim -> claim.getMetadata().getName())
                    .containsExactlyInAnyOrderElementsOf(peers().stream()
                            .map(peer -> peer.getSpec().claimName())
                            .toList());
        });
        return this;
    }

    /** Waits until nothing runs and all claims are kept. */
    void awaitAsleep(int claims) {
        eventually().untilAsserted(() -> {
            assertThat(pods()).isEmpty();
            assertThat(condition("Available").getReason()).as(conditions()).isEqualTo("Asleep");
            assertThat(status().operation()).isNull();
            assertThat(claims()).hasSize(claims);
        });
    }

    /** Makes a member the leader, as {@code etcdctl move-leader} does. */
    void lead(String peer) {
        eventually().until(() -> {
            // Read each time: what status says of the members may be behind.
            String target = memberIds().getOrDefault(peer, "unknown");
            try (Etcd leader = Etcd.of(pod(status().leader()))) {
                if (!leader.leader().equals(target)) {
                    leader.moveLeaderTo(target);
                }
                return leader.leader().equals(target);
            }
        });
        eventually().until(() -> peer.equals(status().leader()));
    }

    /** Waits until all that the EtcdCluster owned is gone. */
    void awaitGone() {
        eventually().untilAsserted(() -> assertThat(ownedObjects()).isEmpty());
    }

    List<String> ownedObjects() {
        return Stream.of(
                        EtcdPeer.class,
                        ReplicaSet.class,
                        Pod.class,
                        Service.class,
                        PodDisruptionBudget.class,
                        NetworkPolicy.class)
                .flatMap(kind -> labelled(kind).stream())
                .map(object -> object.getKind() + " " + object.getMetadata().getName())
                .toList();
    }

    List<Pod> pods() {
        return labelled(Pod.class);
    }

    /** The pod that runs a peer now. */
    Pod pod(String peer) {
        return eventually()
                .until(
                        () -> pods().stream()
                                .filter(pod -> peer.equals(
                                        pod.getMetadata().getLabels().get(PEER_LABEL)))
                                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    List<PersistentVolumeClaim> claims() {
        return labelled(PersistentVolumeClaim.class);
    }

    List<EtcdPeer> peers() {
        return labelled(EtcdPeer.class);
    }

    List<String> peerNames() {
        return names(spec.replicas());
    }

    private List<String> names(int replicas) {
        return IntStream.range(0, replicas)
                .mapToObj(ordinal -> name + "-" + ordinal)
                .toList();
    }

    /** The claim that a peer's member runs on now. */
    String claimOf(String peer) {
        return peers().stream()
                .filter(found -> found.getMetadata().getName().equals(peer))
                .map(found -> found.getSpec().claimName())
                .findFirst()
                .orElseThrow();
    }

    /** Who the members are, by name: must survive whatever happens to pods. */
    Map<String, String> memberIds() {
        return status().members().stream()
                .collect(Collectors.toMap(
                        MemberStatus::name, MemberStatus::id, (one, other) -> one + " and " + other, TreeMap::new));
    }

    /** Events about the EtcdCluster of this name, past ones of the same name included. */
    List<Event> events() {
        return KUBE.v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> "EtcdCluster".equals(event.getInvolvedObject().getKind())
                        && name.equals(event.getInvolvedObject().getName()))
                .toList();
    }

    Set<String> eventReasons() {
        return events().stream().map(Event::getReason).collect(Collectors.toSet());
    }

    /** Events are written beside the passes: they may come a moment after the status that a test has waited for. */
    void awaitEvents(String... reasons) {
        eventually().untilAsserted(() -> assertThat(eventReasons()).contains(reasons));
    }

    void deleteClaim(String claim) {
        var found = KUBE.persistentVolumeClaims().inNamespace(namespace).withName(claim);
        found.delete();
        eventually().until(() -> found.get() == null);
    }

    String conditions() {
        return status().conditions().stream()
                .map(c -> c.getType() + "=" + c.getStatus() + " " + c.getReason() + ": " + c.getMessage())
                .collect(Collectors.joining("; "));
    }

    private <T extends HasMetadata> List<T> labelled(Class<T> kind) {
        return KUBE.resources(kind).inNamespace(namespace).withLabel(CLUSTER_LABEL, name).list().getItems().stream()
                .sorted(Comparator.comparing(object -> object.getMetadata().getName()))
                .toList();
    }
}
