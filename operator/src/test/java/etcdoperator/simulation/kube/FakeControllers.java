package etcdoperator.simulation.kube;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.simulation.replay.ManualClock;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetStatus;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetStatusBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What Kubernetes' own controllers do: make pods, collect garbage, protect claims in use. Each call does one thing. */
public final class FakeControllers {
    private static final List<Class<? extends HasMetadata>> OWNED = List.of(
            EtcdPeer.class,
            Service.class,
            PodDisruptionBudget.class,
            NetworkPolicy.class,
            Secret.class,
            ReplicaSet.class,
            Job.class,
            PersistentVolumeClaim.class,
            Pod.class);

    private final FakeApiServer server;
    private final ManualClock clock;
    private boolean reporting;
    private int pods;

    public FakeControllers(FakeApiServer server, ManualClock clock) {
        this.server = server;
        this.clock = clock;
    }

    /** The one of Jobs. */
    public FakeJobs jobs() {
        return new FakeJobs(server, this, clock);
    }

    /** From now on ReplicaSets have a status, which only a backup that reads a volume looks at. */
    public void reportReplicas() {
        reporting = true;
    }

    /** @return everything that one of the controllers would do now */
    public List<Runnable> pending() {
        List<Runnable> work = new ArrayList<>();
        for (Class<? extends HasMetadata> kind : OWNED) {
            server.list(kind).stream()
                    .filter(object -> !Objects.isDeleting(object) && isGarbage(object))
                    .forEach(object -> work.add(() -> delete(object)));
        }
        server.list(EtcdCluster.class).stream()
                .filter(cluster ->
                        Objects.isDeleting(cluster) && dependents(cluster).isEmpty())
                .forEach(cluster -> work.add(() -> server.remove(cluster)));
        for (Class<? extends HasMetadata> kind : List.of(EtcdRestore.class, EtcdBackup.class)) {
            server.list(kind).stream()
                    .filter(FakeControllers::isLetGo)
                    .forEach(object -> work.add(() -> server.remove(object)));
        }
        server.list(EtcdBackup.class).stream()
                .filter(backup -> !Objects.isDeleting(backup) && isForsaken(backup))
                .forEach(backup -> work.add(() -> delete(backup)));
        server.list(ReplicaSet.class).stream()
                .filter(set -> !isGarbage(set))
                .forEach(set -> scale(set).ifPresent(work::add));
        server.list(PersistentVolumeClaim.class).stream()
                .filter(claim -> Objects.isDeleting(claim) && !isUsed(claim))
                .forEach(claim -> work.add(() -> server.remove(claim)));
        return work;
    }

    /** Deleted, and nothing holds it any more. */
    public static boolean isLetGo(HasMetadata object) {
        return Objects.isDeleting(object)
                && object.getMetadata().getFinalizers().isEmpty();
    }

    /** As the API server takes a delete: pods end gracefully, claims in use stay until they are not. */
    public void delete(HasMetadata object) {
        Optional<? extends HasMetadata> current =
                server.get(object.getClass(), object.getMetadata().getName());
        boolean waits = switch (object) {
            case Pod pod -> pod.getSpec().getNodeName() != null;
            case PersistentVolumeClaim claim -> isUsed(claim);
            default -> !object.getMetadata().getFinalizers().isEmpty();
        };
        if (waits) {
            current.ifPresent(this::markDeleted);
        } else {
            current.ifPresent(server::remove);
        }
    }

    /** {@code --cascade=foreground}: the cluster stays until its dependents are gone. */
    public void markDeleted(HasMetadata object) {
        server.change(object, changed -> {
            boolean again = changed.getMetadata().getDeletionTimestamp() != null;
            changed.getMetadata().setDeletionTimestamp(clock.instant().toString());
            changed.getMetadata().setDeletionGracePeriodSeconds(again ? 1L : 30L);
            return changed;
        });
    }

    /** {@code --cascade=orphan}: the cluster goes and its dependents stay, owned by nobody. */
    public void orphan(EtcdCluster cluster) {
        for (HasMetadata dependent : dependents(cluster)) {
            server.change(dependent, changed -> {
                changed.getMetadata().setOwnerReferences(List.of());
                return changed;
            });
        }
        server.remove(cluster);
    }

    private boolean isGarbage(HasMetadata object) {
        return Objects.controllerUid(object)
                .map(uid -> !server.hasUid(uid) || ownerIsGoing(uid))
                .orElse(false);
    }

    /** It has owners, and they are gone. */
    private boolean isForsaken(HasMetadata object) {
        List<OwnerReference> owners = object.getMetadata().getOwnerReferences();
        return !owners.isEmpty() && owners.stream().noneMatch(owner -> server.hasUid(owner.getUid()));
    }

    private boolean ownerIsGoing(String uid) {
        return server.list(EtcdCluster.class).stream()
                .anyMatch(cluster -> cluster.getMetadata().getUid().equals(uid) && Objects.isDeleting(cluster));
    }

    private List<HasMetadata> dependents(EtcdCluster cluster) {
        return OWNED.stream()
                .<HasMetadata>flatMap(kind -> server.list(kind).stream())
                .filter(object -> Objects.controllerUid(object)
                        .map(cluster.getMetadata().getUid()::equals)
                        .orElse(false))
                .toList();
    }

    private boolean isUsed(PersistentVolumeClaim claim) {
        return server.list(Pod.class).stream()
                .anyMatch(pod -> Objects.uses(pod, claim) && pod.getSpec().getNodeName() != null);
    }

    private Optional<Runnable> scale(ReplicaSet set) {
        List<Pod> active = activePods(set);
        int wanted = set.getSpec().getReplicas();
        if (active.size() < wanted) {
            return Optional.of(() -> makePod(set));
        }
        return active.size() > wanted ? Optional.of(() -> delete(active.getFirst())) : reported(set, wanted);
    }

    private Optional<Runnable> reported(ReplicaSet set, int replicas) {
        ReplicaSetStatus status = new ReplicaSetStatusBuilder()
                .withReplicas(replicas)
                .withObservedGeneration(set.getMetadata().getGeneration())
                .build();
        return !reporting || status.equals(set.getStatus())
                ? Optional.empty()
                : Optional.of(() -> server.change(set, changed -> {
                    changed.setStatus(status);
                    return changed;
                }));
    }

    /** A pod on its way out is not counted: its successor comes at once. */
    private List<Pod> activePods(ReplicaSet set) {
        return server.list(Pod.class).stream()
                .filter(pod -> !Objects.isDeleting(pod)
                        && Objects.controllerUid(pod)
                                .map(set.getMetadata().getUid()::equals)
                                .orElse(false))
                .toList();
    }

    private void makePod(ReplicaSet set) {
        PodTemplateSpec template = set.getSpec().getTemplate();
        ObjectMeta metadata = new ObjectMetaBuilder(template.getMetadata())
                .withNamespace(set.getMetadata().getNamespace())
                .withName(set.getMetadata().getName() + "-" + Integer.toString(10_000 + ++pods, 36))
                .withOwnerReferences(owner(set))
                .build();
        var pod = new Pod();
        pod.setMetadata(metadata);
        pod.setSpec(onNode(template.getSpec(), null));
        pod.setStatus(new PodStatus());
        server.create(pod);
    }

    private static OwnerReference owner(ReplicaSet set) {
        return new OwnerReferenceBuilder()
                .withApiVersion(set.getApiVersion())
                .withKind(set.getKind())
                .withName(set.getMetadata().getName())
                .withUid(set.getMetadata().getUid())
                .withController(true)
                .build();
    }

    /** Only what the simulation looks at. */
    static PodSpec onNode(PodSpec spec, String node) {
        var placed = new PodSpec();
        placed.setNodeName(node);
        placed.setInitContainers(spec.getInitContainers());
        placed.setContainers(spec.getContainers());
        placed.setVolumes(spec.getVolumes());
        return placed;
    }
}
