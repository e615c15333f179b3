package etcdoperator.simulation.rules;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.MemberStatus;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.etcd.Answer.Spoke;
import etcdoperator.etcd.MembershipChange;
import etcdoperator.kube.Kube.ClaimMark;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.etcd.EtcdProcess;
import etcdoperator.simulation.etcd.MemberData;
import etcdoperator.simulation.etcd.Volume;
import etcdoperator.simulation.kube.FakeProbes;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.kube.OperatorProcess;
import etcdoperator.simulation.kube.Witness;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Watches what is done to the world, and stops the history at the first thing that must not be. */
public final class Rules implements Witness {
    private static final Duration BELIEVABLE = Duration.ofSeconds(40);

    private final World world;
    private final Set<Invariant> watched;
    private final MembershipRules membership;
    private final TlsRules tls;
    private final RecoveryRules recovery;
    private final StopRules stops;
    private final RecordRules records;
    private final StartRules starts;
    private boolean excused;

    private Rules(World world, Set<Invariant> watched) {
        this.world = world;
        this.watched = watched;
        this.membership = new MembershipRules(world, this);
        this.tls = new TlsRules(world, this);
        this.recovery = new RecoveryRules(world, this);
        this.stops = new StopRules(world, this);
        this.records = new RecordRules(world, this);
        this.starts = new StartRules(world, this);
    }

    public static Rules watch(World world, Set<Invariant> watched) {
        var rules = new Rules(world, watched);
        world.watchedBy(rules);
        return rules;
    }

    RecordRules records() {
        return records;
    }

    public MembershipRules membership() {
        return membership;
    }

    public RecoveryRules recovery() {
        return recovery;
    }

    public void broken(Invariant invariant, String how) {
        violation(invariant, how).ifPresent(violation -> {
            throw violation;
        });
    }

    Optional<Violation> violation(Invariant invariant, String how) {
        return watched.contains(invariant) ? Optional.of(new Violation(invariant, how)) : Optional.empty();
    }

    /** Whether a member forgot what it knew before the operator could have sealed it; etcd may have come apart then. */
    public boolean areExcused() {
        return excused;
    }

    void excuse() {
        excused = true;
    }

    /** After each event. */
    public void check() {
        membership.noteWhoIsBack();
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

    @Override
    public void formatted(EtcdProcess process, PersistentVolumeClaim claim) {
        starts.formatted(process, claim);
    }

    @Override
    public void made(HasMetadata object, OperatorProcess operator) {
        starts.made(object, operator);
    }

    @Override
    public void sharedVolume(boolean siblings, Pod pod, EtcdProcess user) {
        starts.sharedVolume(siblings, pod, user);
    }

    @Override
    public void created(HasMetadata object, OperatorProcess operator) {
        switch (object) {
            case EtcdRestore restore -> recovery.begun(restore, operator);
            case PersistentVolumeClaim claim -> records.created(claim);
            case EtcdPeer peer -> records.created(peer);
            default -> {}
        }
    }

    @Override
    public void replaced(EtcdPeer before, EtcdPeer after, OperatorProcess operator) {
        stops.stopped(before, Optional.of(after), operator);
        if (!RecordRules.founds(before) && RecordRules.founds(after)) {
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
    public void marked(PersistentVolumeClaim claim, ClaimMark mark, OperatorProcess operator) {
        recovery.marked(claim, mark, operator);
    }

    @Override
    public Optional<Violation> objection(MembershipChange change, OperatorProcess operator) {
        return membership.judge(change, operator);
    }

    @Override
    public void read(PersistentVolumeClaim claim) {
        recovery.read(claim);
    }

    @Override
    public void filled(
            EtcdRestore restore, PersistentVolumeClaim target, Optional<Survivor> source, List<Integer> values) {
        recovery.filled(restore, target, source, values);
    }

    @Override
    public void judged() {
        recovery.returns().judged();
    }

    @Override
    public void reported(HasMetadata before, HasMetadata after, OperatorProcess operator) {
        if (before instanceof EtcdRestore was && after instanceof EtcdRestore is) {
            recovery.reported(was, is.getStatus(), operator);
        }
    }

    @Override
    public void deleted(HasMetadata object, OperatorProcess operator) {
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
    public void reported(EtcdCluster cluster, EtcdClusterStatus status, OperatorProcess operator) {
        List<MemberStatus> before =
                cluster.getStatus() == null ? List.of() : cluster.getStatus().members();
        String uid = cluster.getMetadata().getUid();
        records.noted(uid, status);
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
}
