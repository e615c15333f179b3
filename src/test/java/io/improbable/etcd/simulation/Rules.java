package io.improbable.etcd.simulation;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.api.EtcdClusterStatus;
import io.improbable.etcd.api.EtcdPeer;
import io.improbable.etcd.api.MemberStatus;
import io.improbable.etcd.api.OperationType;
import io.improbable.etcd.api.PeerBootstrap.InitialClusterState;
import io.improbable.etcd.domain.ClusterId;
import io.improbable.etcd.domain.MemberId;
import io.improbable.etcd.etcd.Answer.Spoke;
import io.improbable.etcd.manifest.Labels;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Watches what is done to the world, and stops the history at the first thing that must not be. */
final class Rules {
    private static final Duration BELIEVABLE = Duration.ofSeconds(40);

    private final World world;
    private final Set<Invariant> watched;
    private final Map<String, Set<OperationType>> recorded = new HashMap<>();
    private final Set<String> madeInTheDark = new HashSet<>();
    private boolean excused;

    Rules(World world, Set<Invariant> watched) {
        this.world = world;
        this.watched = watched;
    }

    void broken(Invariant invariant, String how) {
        if (watched.contains(invariant)) {
            throw new Violation(invariant, how);
        }
    }

    /** Whether a member forgot what it knew before the operator could have sealed it; etcd may have come apart then. */
    boolean areExcused() {
        return excused;
    }

    /** After each event. */
    void check() {
        for (ClusterId id : world.etcd().clusters()) {
            Optional<Set<Integer>> readable =
                    excused ? Optional.empty() : world.etcd().read(id);
            readable.ifPresent(values -> {
                Set<Integer> lost = new HashSet<>(world.etcd().acknowledged(id));
                lost.removeAll(values);
                if (!lost.isEmpty()) {
                    broken(Invariant.NO_WRITE_IS_LOST, "cluster " + id + " serves without writes " + lost);
                }
            });
        }
    }

    /**
     * etcd has made a new member on an empty volume. A member that ran before the operator could see and seal it is
     * beyond its power: what is lost then is not held against it.
     */
    void formatted(EtcdProcess process, PersistentVolumeClaim claim) {
        MemberData data = process.data();
        world.trace().note(process + " founds " + data.clusterId() + " as " + data.self());
        world.etcd().joinedOn(data.self()).ifPresent(before -> {
            if (before.isVouchedFor()) {
                broken(Invariant.NOTHING_EMPTY_VOTES, process + " votes as " + data.self() + ", and has forgotten all");
            } else {
                excused = true;
            }
        });
        for (PersistentVolumeClaim other : world.claims()) {
            Optional<MemberData> present = world.nodes().volume(other).data();
            if (present.isPresent() && !present.get().clusterId().equals(data.clusterId())) {
                broken(
                        Invariant.ONE_CLUSTER,
                        claim.getMetadata().getName() + " founds " + data.clusterId() + " beside "
                                + other.getMetadata().getName() + " of "
                                + present.get().clusterId());
            }
        }
    }

    /** A pod that the maker's watch had not told of yet: etcd's lock on its files has to do for that moment. */
    void made(HasMetadata object, SimulatedOperator operator) {
        if (object instanceof ReplicaSet && operator.cache().behind().contains(Pod.class)) {
            madeInTheDark.add(object.getMetadata().getUid());
        }
    }

    void sharedVolume(boolean siblings, Pod pod, EtcdProcess user) {
        if (!siblings && !madeInTheDark.contains(Objects.controllerUid(pod).orElse(""))) {
            broken(Invariant.ONE_PROCESS_PER_VOLUME, "pod " + pod.getMetadata().getName() + " starts beside " + user);
        }
    }

    void created(HasMetadata object) {
        switch (object) {
            case PersistentVolumeClaim claim ->
                requireRecorded(
                        claim,
                        claim.getMetadata().getAnnotations().get(Labels.BOOTSTRAP_TOKEN),
                        OperationType.BOOTSTRAP);
            case EtcdPeer peer -> {
                OperationType needed = founds(peer) ? OperationType.BOOTSTRAP : OperationType.RESUME;
                requireRecorded(peer, Objects.controllerUid(peer).orElse(""), needed);
                requireNeverJoined(peer);
            }
            default -> {}
        }
    }

    private void requireRecorded(HasMetadata object, String cluster, OperationType type) {
        if (!recorded.getOrDefault(cluster, Set.of()).contains(type)) {
            broken(
                    Invariant.RECORDED_BEFORE_DONE,
                    Objects.describe(object) + " is made before " + cluster + " has recorded " + type);
        }
    }

    private void requireNeverJoined(EtcdPeer founder) {
        boolean joined = founds(founder)
                && world.server()
                        .get(PersistentVolumeClaim.class, founder.getSpec().claimName())
                        .map(claim -> claim.getMetadata().getAnnotations().containsKey(Labels.MEMBER_ID))
                        .orElse(false);
        if (joined) {
            broken(Invariant.SEALED_STAYS_SEALED, Objects.describe(founder) + " founds on a claim that held data");
        }
    }

    void replaced(EtcdPeer before, EtcdPeer after) {
        if (!founds(before) && founds(after)) {
            broken(Invariant.SEALED_STAYS_SEALED, Objects.describe(after) + " may found a cluster again");
        }
    }

    void annotated(HasMetadata object, Map<String, String> annotations) {
        if (!(object instanceof PersistentVolumeClaim claim) || !annotations.containsKey(Labels.MEMBER_ID)) {
            return;
        }
        String before = claim.getMetadata().getAnnotations().get(Labels.MEMBER_ID);
        String after = annotations.get(Labels.MEMBER_ID);
        Volume volume = world.nodes().volume(claim);
        boolean changed = before != null && !before.equals(after);
        boolean wrong = volume.data()
                .map(data -> !data.self().equals(MemberId.parse(after)))
                .orElse(!volume.lostData());
        if (changed || wrong) {
            broken(
                    Invariant.CLAIMS_TELL_THE_TRUTH,
                    "%s is marked as %s, it was %s and has %s"
                            .formatted(
                                    Objects.describe(claim),
                                    after,
                                    before,
                                    volume.data().map(MemberData::self)));
        }
    }

    void deletedByOperator(HasMetadata object) {
        if (object instanceof PersistentVolumeClaim) {
            broken(Invariant.CLAIMS_STAY, Objects.describe(object) + " is deleted");
        }
    }

    void reported(EtcdCluster cluster, EtcdClusterStatus status, SimulatedOperator operator) {
        List<MemberStatus> before =
                cluster.getStatus() == null ? List.of() : cluster.getStatus().members();
        String uid = cluster.getMetadata().getUid();
        if (status.operation() != null) {
            recorded.computeIfAbsent(uid, key -> new HashSet<>())
                    .add(status.operation().type());
        }
        status.members().stream()
                .filter(member -> member.healthy() && !before.contains(member))
                .filter(member -> !saidSo(member, operator.probes().lastGiven()))
                .forEach(member -> broken(Invariant.HEALTH_IS_SEEN, member.name() + " is called healthy"));
        if (status.operation() == null && status.clusterId() != null) {
            vouch(uid);
        }
    }

    /** Nothing is under way any more: from here on the operator answers for what its members' volumes hold. */
    private void vouch(String uid) {
        world.server().list(EtcdPeer.class).stream()
                .filter(peer -> Objects.controllerUid(peer).equals(Optional.of(uid)))
                .flatMap(peer -> world
                        .server()
                        .get(PersistentVolumeClaim.class, peer.getSpec().claimName())
                        .stream())
                .map(world.nodes()::volume)
                .filter(volume -> volume.data().isPresent())
                .forEach(Volume::vouch);
    }

    private static boolean saidSo(MemberStatus member, FakeProbes.Given given) {
        return given.answers().values().stream()
                .anyMatch(answer -> answer instanceof Spoke spoke
                        && spoke.isWell()
                        && spoke.status().memberId().toString().equals(member.id())
                        && !spoke.at().plus(BELIEVABLE).isBefore(given.at()));
    }

    static boolean founds(EtcdPeer peer) {
        return peer.getSpec().bootstrap().initialClusterState() == InitialClusterState.NEW;
    }
}
