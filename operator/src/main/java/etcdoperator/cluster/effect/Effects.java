package etcdoperator.cluster.effect;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.OperationType;
import etcdoperator.cluster.auth.Passwords;
import etcdoperator.cluster.effect.Effect.Annotate;
import etcdoperator.cluster.effect.Effect.Create;
import etcdoperator.cluster.effect.Effect.ReplacePeer;
import etcdoperator.cluster.membership.Removal;
import etcdoperator.cluster.step.AuthStep;
import etcdoperator.cluster.step.Chore;
import etcdoperator.cluster.step.ClaimStep;
import etcdoperator.cluster.step.LifecycleStep;
import etcdoperator.cluster.step.LifecycleStep.Adopt;
import etcdoperator.cluster.step.LifecycleStep.Bootstrap;
import etcdoperator.cluster.step.LifecycleStep.Joined;
import etcdoperator.cluster.step.LifecycleStep.PeerOnClaim;
import etcdoperator.cluster.step.LifecycleStep.Resume;
import etcdoperator.cluster.step.LifecycleStep.Seal;
import etcdoperator.cluster.step.MaintenanceStep;
import etcdoperator.cluster.step.MembershipStep;
import etcdoperator.cluster.step.Outcome;
import etcdoperator.cluster.step.Outcome.Finish;
import etcdoperator.cluster.step.Outcome.Steady;
import etcdoperator.cluster.step.Outcome.Stuck;
import etcdoperator.cluster.step.Outcome.Wait;
import etcdoperator.cluster.step.RecoveryStep;
import etcdoperator.cluster.step.RolloutStep;
import etcdoperator.cluster.step.ServiceStep.Tend;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.step.TlsStep;
import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Membership.AlarmView;
import etcdoperator.cluster.view.Membership.Role;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Scheme;
import etcdoperator.etcd.Accounts;
import etcdoperator.etcd.Alarm;
import etcdoperator.etcd.MembershipChange;
import etcdoperator.etcd.Order;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.Claims;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.PasswordSecrets;
import etcdoperator.manifest.PeerReplicaSet;
import etcdoperator.manifest.Peers;
import etcdoperator.manifest.Transports;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Spells a step out into the effects it has, in their order. Pure. */
public final class Effects {
    private final Scene scene;
    private final ClusterObjects objects;
    private final EtcdCluster cluster;
    private final ClusterView view;
    private final TendingEffects tending;

    private Effects(Scene scene) {
        this.scene = scene;
        this.objects = scene.objects();
        this.cluster = scene.cluster();
        this.view = scene.view();
        this.tending = new TendingEffects(scene);
    }

    public static List<Effect> of(Step step, ClusterObjects objects, ClusterView view) {
        var scene = new Scene(objects, view);
        var effects = new Effects(scene);
        var members = new MembershipEffects(scene);
        var roll = new RollEffects(scene);
        var recovery = new RecoveryEffects(scene);
        return switch (step) {
            case Bootstrap bootstrap -> effects.bootstrap(bootstrap);
            case Resume resume -> effects.resume(resume);
            case Seal seal ->
                seal.joined().stream()
                        .flatMap(joined -> effects.seal(seal, joined))
                        .toList();
            case Adopt adopt -> effects.tending.adopt(adopt);
            case LifecycleStep.Sleep sleep -> effects.sleep(sleep);
            case LifecycleStep.Wake wake -> effects.wake(wake);
            case LifecycleStep.LieDown s -> effects.lieDown(s);
            case RecoveryStep.NoteLoss s -> scene.record(s.task(), s.reason()).toList();
            case RecoveryStep.SaveRemains s -> recovery.save(s);
            case RecoveryStep.Recover s -> recovery.begin(s);
            case RecoveryStep.CallOff s -> recovery.callOff(s);
            case RecoveryStep.ConfirmLoss s -> recovery.confirmLoss(s);
            case RecoveryStep.DropChoice s -> List.of(new Annotate(scene.cluster(), Map.of(Labels.RECOVER, "")));
            case MembershipStep.MoveLeader s ->
                members.change(s.task(), s.reason(), new MembershipChange.MoveLeader(s.to()));
            case MembershipStep.Promote s -> members.promote(s);
            case MembershipStep.Expel s ->
                members.change(s.task(), s.reason(), new MembershipChange.Remove(s.member()));
            case MembershipStep.RemoveMember removal -> members.remove(removal);
            case MembershipStep.Admit admission -> members.admit(admission);
            case MembershipStep.Relist s -> members.relist(s);
            case TlsStep.Issue s ->
                s.due().stream().<Effect>map(Effect.Issue::new).toList();
            case RolloutStep.Renew renew -> roll.renew(renew);
            case RolloutStep.Restart restart -> roll.restart(restart);
            case RolloutStep.WriteSnapshots s ->
                roll.begin(s.task(), s.reason(), new Chore.WriteSnapshots(s.members(), s.withoutV2()));
            case RolloutStep.BackUp s -> roll.backUp(s);
            case MaintenanceStep.DropBackups s -> roll.drop(s);
            case RolloutStep.EnableDowngrade s ->
                roll.tell(
                        s.task(),
                        s.reason(),
                        new Order.EnableDowngrade(s.target().line()));
            case RolloutStep.CancelDowngrade s -> roll.tell(s.task(), s.reason(), new Order.CancelDowngrade());
            case MaintenanceStep.TakeOut s -> roll.service(s.task(), s.reason(), s.pod());
            case MaintenanceStep.KeepOut s ->
                s.pods().stream().<Effect>flatMap(pod -> roll.label(pod, true)).toList();
            case MaintenanceStep.PutBack s -> roll.label(s.pod(), false).toList();
            case MaintenanceStep.Compact s -> roll.begin(s.task(), s.reason(), new Chore.Compact());
            case MaintenanceStep.Defragment s -> roll.begin(s.task(), s.reason(), new Chore.Defragment(s.member()));
            case MaintenanceStep.Disarm s -> roll.tell(s.task(), s.reason(), disarm(s.alarm()));
            case MaintenanceStep.Compare s -> List.of(new Effect.Begin(new Chore.CompareData()));
            case TlsStep.Look s -> List.of(new Effect.Begin(new Chore.SeeCertificates()));
            case AuthStep.MakePasswords s ->
                s.due().entrySet().stream()
                        .<Effect>map(due -> new Effect.MakePassword(due.getKey(), due.getValue()))
                        .toList();
            case AuthStep.ReadAccounts s ->
                new Passwords(objects)
                        .reading().stream().<Effect>map(Effect.Begin::new).toList();
            case AuthStep.ChangeAccounts s -> roll.begin(s.task(), s.reason(), new Chore.ChangeAccounts(s.orders()));
            case AuthStep.ForgetPassword s ->
                List.of(new Effect.ForgetPassword(
                        PasswordSecrets.operator(view.wish().key()), Accounts.OPERATOR));
            case ClaimStep.Expand s -> roll.expand(s);
            case ClaimStep.Protect s -> members.protect(s);
            case LifecycleStep.Inscribe s -> effects.inscribe(s);
            case Outcome.Rest rest -> List.of();
            case ClaimStep.Retire retire -> members.mark(retire.claimName(), Claims.retired(Removal.NOBODY));
            case ClaimStep.Keep keep -> members.keep(keep);
            case ClaimStep.Discard discard -> members.discard(discard);
            case Tend tend -> effects.tending.all();
            case Finish finish -> List.of();
            case Wait wait -> List.of();
            case Stuck stuck -> List.of();
            case Steady steady -> List.of();
        };
    }

    private static Order disarm(AlarmView alarm) {
        return new Order.Disarm(
                alarm.member(),
                switch (alarm.kind()) {
                    case NOSPACE -> Alarm.Kind.NOSPACE;
                    case CORRUPT -> Alarm.Kind.CORRUPT;
                });
    }

    /** Every claim before the first peer: a claim that is missing beside a peer was lost, not forgotten. */
    private List<Effect> bootstrap(Bootstrap step) {
        List<PeerName> founders = step.peers();
        List<PeerName> missing = founders.stream()
                .filter(peer ->
                        ClusterObjects.find(objects.peers(), peer.toString()).isEmpty())
                .filter(peer ->
                        view.claim(peer.toString()).filter(ClaimView::heldData).isEmpty())
                .toList();
        // Where TLS is not wanted any more, one that founds alone has nothing to speak it with.
        Scheme scheme = Transports.between(view.tls().forMember(schemeOf(founders)));
        Stream<Effect> claims = missing.stream()
                .filter(peer -> view.claim(peer.toString()).isEmpty())
                .map(peer -> new Create(Claims.forBootstrap(cluster, peer, step.token(), founders.size(), scheme)));
        Stream<Effect> confirmations = missing.stream()
                .flatMap(peer ->
                        ClusterObjects.find(objects.claims(), peer.toString())
                                .map(claim -> confirmed(claim, scheme))
                                .stream());
        Stream<Effect> peers = missing.stream()
                .map(peer -> new Create(
                        scene.peers(scheme).founder(peer, founders, step.token(), view.versionOn(peer.toString()))));
        return Stream.of(
                        scene.record(scene.whole(OperationType.BOOTSTRAP), step.reason()),
                        claims,
                        confirmations,
                        tending.naming(),
                        peers,
                        tending.otherSupport())
                .flatMap(effects -> effects)
                .toList();
    }

    /** All name each other by the same URLs, or each would found another cluster: what was begun decides. */
    private Scheme schemeOf(List<PeerName> founders) {
        return founders.stream()
                .flatMap(peer -> view.claim(peer.toString()).stream())
                .map(ClaimView::scheme)
                .findFirst()
                .orElse(view.tls().scheme());
    }

    /** Written as it was seen, which fails if a member has joined on it since: caches may be older than they seem. */
    private static Effect confirmed(PersistentVolumeClaim claim, Scheme scheme) {
        Map<String, String> annotations = new TreeMap<>(claim.getMetadata().getAnnotations());
        if (Scheme.named(annotations.get(Labels.PEER_SCHEME)) != scheme) {
            annotations.putAll(Claims.relisted(scheme));
        }
        return new Annotate(claim, annotations);
    }

    private List<Effect> resume(Resume step) {
        Stream<Effect> peers = step.peers().stream().map(this::resumed);
        return Stream.of(
                        scene.record(scene.whole(OperationType.RESUME), step.reason()),
                        tending.naming(),
                        peers,
                        tending.otherSupport())
                .flatMap(effects -> effects)
                .toList();
    }

    private Effect resumed(PeerOnClaim peer) {
        EtcdPeer made = scene.peers(view.schemeOn(peer.claimName()))
                .existing(peer.peer(), peer.claimName(), peer.version());
        boolean recognised =
                view.claim(peer.claimName()).filter(ClaimView::heldData).isPresent();
        return new Create(recognised ? made : Peers.unrecognised(made));
    }

    /** The claim first: once it says who ran on it, no bootstrap can ever take it for empty. */
    private Stream<Effect> seal(Seal step, Joined joined) {
        Optional<PersistentVolumeClaim> claim = ClusterObjects.find(objects.claims(), joined.claimName());
        Optional<EtcdPeer> peer =
                ClusterObjects.find(objects.peers(), joined.peer().toString());
        Optional<Pod> pod = view.ownPeer(joined.peer())
                .flatMap(view::podOf)
                .flatMap(current -> ClusterObjects.find(objects.pods(), current.name()));
        Scheme scheme = view.schemeOn(joined.claimName());
        var onDataOnly = scene.peers(scheme).startOnDataOnly(joined.peer(), joined.claimName(), scheme);
        return Stream.of(
                        claim.map(c -> new Annotate(c, Claims.heldBy(step.clusterId(), joined.memberId()))),
                        peer.map(p -> new ReplacePeer(Peers.recognised(
                                Scene.withSpec(p, p.getSpec().withBootstrap(onDataOnly))))),
                        pod.map(p -> new Annotate(p, PeerReplicaSet.startAnnotations(onDataOnly))),
                        pod.filter(p -> Labels.isOutOfService(p) && !learns(joined))
                                .map(p -> new Effect.Label(p, Labels.outOfService(false))))
                .<Effect>flatMap(Optional::stream);
    }

    /** A learner serves clients once it votes: not every line says that it is not ready before. */
    private boolean learns(Joined joined) {
        return view.reachable()
                .flatMap(reachable -> reachable.member(joined.memberId()))
                .filter(member -> member.role() == Role.LEARNER)
                .isPresent();
    }

    private List<Effect> inscribe(LifecycleStep.Inscribe step) {
        return step.versions().entrySet().stream()
                .flatMap(entry -> scene.claim(entry.getKey())
                        .<Effect>map(claim -> new Annotate(claim, Claims.writtenBy(entry.getValue()))))
                .toList();
    }

    private List<Effect> sleep(LifecycleStep.Sleep step) {
        return Stream.concat(
                        scene.record(scene.whole(OperationType.SLEEP), step.reason()),
                        step.peers().stream().flatMap(peer -> scene.stopped(peer, true)))
                .toList();
    }

    private List<Effect> wake(LifecycleStep.Wake step) {
        return Stream.concat(
                        scene.record(scene.whole(OperationType.RESUME), step.reason()),
                        step.peers().stream().flatMap(peer -> scene.stopped(peer, false)))
                .toList();
    }

    /** The lock first: it ends whatever else was under way, and tells the restore that nothing else is. */
    private List<Effect> lieDown(LifecycleStep.LieDown step) {
        return Stream.of(
                        scene.record(step.task(), step.reason()),
                        step.stopping().stream().flatMap(peer -> scene.stopped(peer, true)),
                        step.leaving().stream().flatMap(scene::peer).<Effect>map(Effect.Delete::new),
                        step.hurried().stream()
                                .flatMap(pod ->
                                        ClusterObjects.find(scene.objects().pods(), pod).stream())
                                .<Effect>map(Effect.Delete::new))
                .flatMap(effects -> effects)
                .toList();
    }
}
