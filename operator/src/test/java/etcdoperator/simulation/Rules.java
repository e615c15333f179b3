package etcdoperator.simulation;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.MemberStatus;
import etcdoperator.api.OperationType;
import etcdoperator.api.PeerBootstrap.InitialClusterState;
import etcdoperator.api.PeerBootstrap.InitialMember;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.etcd.Answer.Spoke;
import etcdoperator.kube.Kube.ClaimMark;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Watches what is done to the world, and stops the history at the first thing that must not be. */
final class Rules implements Witness {
    private static final Duration BELIEVABLE = Duration.ofSeconds(40);

    private static final Set<OperationType> GROWTH = Set.of(OperationType.SCALE_UP, OperationType.REPLACE);

    private final World world;
    private final Set<Invariant> watched;
    private final Map<String, Set<OperationType>> recorded = new HashMap<>();
    private final Set<String> madeInTheDark = new HashSet<>();
    private final MembershipRules membership;
    private final TlsRules tls;
    private final RecoveryRules recovery;
    private final StopRules stops;
    private final SilenceRules silence;
    private final ServiceRules service;
    private boolean excused;

    Rules(World world, Set<Invariant> watched) {
        this.world = world;
        this.watched = watched;
        this.membership = new MembershipRules(world, this);
        this.tls = new TlsRules(world, this);
        this.recovery = new RecoveryRules(world, this);
        this.stops = new StopRules(world, this);
        this.silence = new SilenceRules(world, this);
        this.service = new ServiceRules(world, this);
    }

    MembershipRules membership() {
        return membership;
    }

    ServiceRules service() {
        return service;
    }

    SilenceRules silence() {
        return silence;
    }

    RecoveryRules recovery() {
        return recovery;
    }

    void broken(Invariant invariant, String how) {
        violation(invariant, how).ifPresent(violation -> {
            throw violation;
        });
    }

    Optional<Violation> violation(Invariant invariant, String how) {
        return watched.contains(invariant) ? Optional.of(new Violation(invariant, how)) : Optional.empty();
    }

    /** Whether a member forgot what it knew before the operator could have sealed it; etcd may have come apart then. */
    boolean areExcused() {
        return excused;
    }

    /** After each event. */
    void check() {
        membership.noteWhoIsBack();
        service.check();
        recovery.check();
        if (world.isSecured() && !excused) {
            tls.check();
        }
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
        boolean founds = process.flags().founds();
        world.trace().note(process + (founds ? " founds " : " joins ") + data.clusterId() + " as " + data.self());
        if (!founds) {
            joined(process);
            return;
        }
        world.etcd().joinedOn(data.self()).ifPresent(before -> {
            if (before.isVouchedFor()) {
                broken(Invariant.NOTHING_EMPTY_VOTES, process + " votes as " + data.self() + ", and has forgotten all");
            } else {
                excused = true;
            }
        });
        for (PersistentVolumeClaim other : world.claims()) {
            Optional<MemberData> present = world.nodes().volume(other).data();
            if (present.isPresent()
                    && !world.nodes().volume(other).isUsedBefore()
                    && !present.get().clusterId().equals(data.clusterId())) {
                broken(
                        Invariant.ONE_CLUSTER,
                        claim.getMetadata().getName() + " founds " + data.clusterId() + " beside "
                                + other.getMetadata().getName() + " of "
                                + present.get().clusterId());
            }
        }
    }

    /** One that comes without a vote, or has come before and has none yet, may know nothing. */
    private void joined(EtcdProcess process) {
        MemberData data = process.data();
        boolean votes = membership
                .agreed(data.clusterId())
                .map(now -> now.isVoter(data.self()))
                .orElse(false);
        if (votes && world.etcd().joinedOn(data.self()).isPresent()) {
            broken(Invariant.NOTHING_EMPTY_VOTES, process + " votes as " + data.self() + ", and has forgotten all");
        }
    }

    /** A pod that the maker's watch had not told of yet: etcd's lock on its files has to do for that moment. */
    @Override
    public void made(HasMetadata object, SimulatedOperator operator) {
        if (object instanceof ReplicaSet && operator.cache().behind().contains(Pod.class)) {
            madeInTheDark.add(object.getMetadata().getUid());
        }
    }

    void sharedVolume(boolean siblings, Pod pod, EtcdProcess user) {
        if (!siblings && !madeInTheDark.contains(Objects.controllerUid(pod).orElse(""))) {
            broken(Invariant.ONE_PROCESS_PER_VOLUME, "pod " + pod.getMetadata().getName() + " starts beside " + user);
        }
    }

    @Override
    public void created(HasMetadata object, SimulatedOperator operator) {
        switch (object) {
            case EtcdRestore restore -> recovery.begun(restore, operator);
            case PersistentVolumeClaim claim -> {
                String token = claim.getMetadata().getAnnotations().get(Labels.BOOTSTRAP_TOKEN);
                if (claim.getMetadata().getAnnotations().containsKey(Labels.RESTORED_BY)) {
                    return;
                }
                if (token != null) {
                    requireRecorded(claim, token, Set.of(OperationType.BOOTSTRAP));
                } else if (!hasRecorded(GROWTH)) {
                    broken(Invariant.RECORDED_BEFORE_DONE, Objects.describe(claim) + " is made before " + GROWTH);
                }
            }
            case EtcdPeer peer -> {
                requireRecorded(peer, Objects.controllerUid(peer).orElse(""), neededFor(peer));
                requireNeverJoined(peer);
            }
            default -> {}
        }
    }

    private static Set<OperationType> neededFor(EtcdPeer peer) {
        if (founds(peer)) {
            return Set.of(OperationType.BOOTSTRAP);
        }
        return initialMembers(peer).size() > 1 ? GROWTH : Set.of(OperationType.RESUME);
    }

    /** Whether any cluster has ever recorded one of these. */
    boolean hasRecorded(Set<OperationType> types) {
        return recorded.values().stream().flatMap(Set::stream).anyMatch(types::contains);
    }

    private void requireRecorded(HasMetadata object, String cluster, Set<OperationType> types) {
        if (recorded.getOrDefault(cluster, Set.of()).stream().noneMatch(types::contains)) {
            broken(
                    Invariant.RECORDED_BEFORE_DONE,
                    Objects.describe(object) + " is made before " + cluster + " has recorded " + types);
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

    @Override
    public void replaced(EtcdPeer before, EtcdPeer after, SimulatedOperator operator) {
        stops.stopped(before, Optional.of(after), operator);
        if (!founds(before) && founds(after)) {
            broken(Invariant.SEALED_STAYS_SEALED, Objects.describe(after) + " may found a cluster again");
        }
    }

    @Override
    public void annotated(HasMetadata object, Map<String, String> annotations) {
        if (!(object instanceof PersistentVolumeClaim claim) || !annotations.containsKey(Labels.MEMBER_ID)) {
            return;
        }
        String before = claim.getMetadata().getAnnotations().get(Labels.MEMBER_ID);
        String after = annotations.get(Labels.MEMBER_ID);
        Volume volume = world.nodes().volume(claim);
        if (volume.isUsedBefore()) {
            broken(
                    Invariant.NOTHING_FOREIGN_IS_SEALED,
                    "%s is marked as %s, and its volume holds %s of before"
                            .formatted(Objects.describe(claim), after, volume.data().map(MemberData::self)));
        }
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

    @Override
    public void marked(PersistentVolumeClaim claim, ClaimMark mark, SimulatedOperator operator) {
        recovery.marked(claim, mark, operator);
    }

    @Override
    public void judged() {
        recovery.returns().judged();
    }

    @Override
    public void reported(HasMetadata before, HasMetadata after, SimulatedOperator operator) {
        if (before instanceof EtcdRestore was && after instanceof EtcdRestore is) {
            recovery.reported(was, is.getStatus(), operator);
        }
    }

    @Override
    public void deleted(HasMetadata object, SimulatedOperator operator) {
        switch (object) {
            case PersistentVolumeClaim claim -> {
                if (!recovery.discarded(claim)) {
                    membership.discarded(claim, operator);
                }
            }
            case EtcdRestore restore -> {}
            case Job job -> {}
            case EtcdPeer peer -> stops.stopped(peer, Optional.empty(), operator);
            case Pod pod -> {
                // One that is on its way out already is only told to make haste.
                if (pod.getMetadata().getDeletionTimestamp() == null) {
                    membership.restarted(pod, operator);
                }
            }
            default -> throw new IllegalArgumentException("the operator deletes no " + object.getKind());
        }
    }

    @Override
    public void reported(EtcdCluster cluster, EtcdClusterStatus status, SimulatedOperator operator) {
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
        recovery.noted(status.operation());
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

    static List<InitialMember> initialMembers(EtcdPeer peer) {
        return peer.getSpec().bootstrap().staticBootstrap().initialCluster();
    }

    static boolean founds(EtcdPeer peer) {
        return peer.getSpec().bootstrap().initialClusterState() == InitialClusterState.NEW;
    }
}
