package io.improbable.etcd.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.api.EtcdPeer;
import io.improbable.etcd.api.EtcdPeerSpec;
import io.improbable.etcd.api.OperationType;
import io.improbable.etcd.cluster.Effect.Annotate;
import io.improbable.etcd.cluster.Effect.Apply;
import io.improbable.etcd.cluster.Effect.ChangeMembers;
import io.improbable.etcd.cluster.Effect.ConfirmMembers;
import io.improbable.etcd.cluster.Effect.Create;
import io.improbable.etcd.cluster.Effect.Delete;
import io.improbable.etcd.cluster.Effect.RecordOperation;
import io.improbable.etcd.cluster.Effect.ReplacePeer;
import io.improbable.etcd.cluster.Step.Adopt;
import io.improbable.etcd.cluster.Step.Bootstrap;
import io.improbable.etcd.cluster.Step.Finish;
import io.improbable.etcd.cluster.Step.Joined;
import io.improbable.etcd.cluster.Step.PeerOnClaim;
import io.improbable.etcd.cluster.Step.Resume;
import io.improbable.etcd.cluster.Step.Seal;
import io.improbable.etcd.cluster.Step.Steady;
import io.improbable.etcd.cluster.Step.Stuck;
import io.improbable.etcd.cluster.Step.Tend;
import io.improbable.etcd.cluster.Step.Wait;
import io.improbable.etcd.domain.PeerName;
import io.improbable.etcd.etcd.MemberList;
import io.improbable.etcd.etcd.MembershipChange;
import io.improbable.etcd.kube.ClusterObjects;
import io.improbable.etcd.manifest.Addresses;
import io.improbable.etcd.manifest.Addresses.Scheme;
import io.improbable.etcd.manifest.Claims;
import io.improbable.etcd.manifest.PeerReplicaSet;
import io.improbable.etcd.manifest.Peers;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Spells a step out into the effects it has, in their order. Pure. */
final class Effects {
    private final ClusterObjects objects;
    private final EtcdCluster cluster;
    private final ClusterView view;

    private Effects(ClusterObjects objects, ClusterView view) {
        this.objects = objects;
        this.cluster = objects.cluster();
        this.view = view;
    }

    static List<Effect> of(Step step, ClusterObjects objects, ClusterView view) {
        var effects = new Effects(objects, view);
        return switch (step) {
            case Bootstrap bootstrap -> effects.bootstrap(bootstrap);
            case Resume resume -> effects.resume(resume);
            case Seal seal ->
                seal.joined().stream()
                        .flatMap(joined -> effects.seal(seal, joined))
                        .toList();
            case Adopt adopt -> effects.adopt(adopt);
            case Step.Sleep sleep -> effects.sleep(sleep);
            case Step.Wake wake -> effects.wake(wake);
            case Step.MoveLeader s -> effects.change(s.task(), s.reason(), new MembershipChange.MoveLeader(s.to()));
            case Step.Promote s -> effects.change(s.task(), s.reason(), new MembershipChange.Promote(s.member()));
            case Step.Expel s -> effects.change(s.task(), s.reason(), new MembershipChange.Remove(s.member()));
            case Step.RemoveMember removal -> effects.remove(removal);
            case Step.Admit admission -> effects.admit(admission);
            case Step.Retire retire ->
                effects.claim(retire.claimName())
                        .<Effect>map(claim -> new Annotate(claim, Claims.retired(Removal.NOBODY)))
                        .toList();
            case Step.Keep keep -> effects.keep(keep);
            case Step.Discard discard -> effects.discard(discard);
            case Tend tend ->
                Stream.concat(effects.support(any -> true), effects.align(effects.driftedPeers()))
                        .toList();
            case Finish finish -> List.of();
            case Wait wait -> List.of();
            case Stuck stuck -> List.of();
            case Steady steady -> List.of();
        };
    }

    /** Every claim before the first peer: a claim that is missing beside a peer was lost, not forgotten. */
    private List<Effect> bootstrap(Bootstrap step) {
        List<PeerName> founders = step.peers();
        List<PeerName> missing = founders.stream()
                .filter(peer -> find(objects.peers(), peer.toString()).isEmpty())
                .filter(peer ->
                        view.claim(peer.toString()).filter(ClaimView::heldData).isEmpty())
                .toList();
        Stream<Effect> claims = missing.stream()
                .filter(peer -> view.claim(peer.toString()).isEmpty())
                .map(peer -> new Create(Claims.forBootstrap(cluster, peer, step.token(), founders.size())));
        Stream<Effect> confirmations = missing.stream()
                .flatMap(peer -> find(objects.claims(), peer.toString()).map(Effects::confirmed).stream());
        Stream<Effect> peers =
                missing.stream().map(peer -> new Create(Peers.founder(cluster, peer, founders, step.token())));
        return Stream.of(
                        record(whole(OperationType.BOOTSTRAP), step.reason()),
                        claims,
                        confirmations,
                        naming(),
                        peers,
                        otherSupport())
                .flatMap(effects -> effects)
                .toList();
    }

    /** Written as it was seen, which fails if a member has joined on it since: caches may be older than they seem. */
    private static Effect confirmed(PersistentVolumeClaim claim) {
        return new Annotate(claim, claim.getMetadata().getAnnotations());
    }

    private List<Effect> resume(Resume step) {
        Stream<Effect> peers = step.peers().stream().map(this::resumed);
        return Stream.of(record(whole(OperationType.RESUME), step.reason()), naming(), peers, otherSupport())
                .flatMap(effects -> effects)
                .toList();
    }

    private Effect resumed(PeerOnClaim peer) {
        return new Create(Peers.existing(cluster, peer.peer(), peer.claimName()));
    }

    /** The claim first: once it says who ran on it, no bootstrap can ever take it for empty. */
    private Stream<Effect> seal(Seal step, Joined joined) {
        Optional<PersistentVolumeClaim> claim = find(objects.claims(), joined.claimName());
        Optional<EtcdPeer> peer = find(objects.peers(), joined.peer().toString());
        Optional<Pod> pod = view.ownPeer(joined.peer())
                .flatMap(view::podOf)
                .flatMap(current -> find(objects.pods(), current.name()));
        var onDataOnly = Peers.startOnDataOnly(cluster, joined.peer());
        return Stream.of(
                        claim.map(c -> new Annotate(c, Claims.heldBy(step.clusterId(), joined.memberId()))),
                        peer.map(p -> new ReplacePeer(withSpec(p, p.getSpec().withBootstrap(onDataOnly)))),
                        pod.map(p -> new Annotate(p, PeerReplicaSet.startAnnotations(onDataOnly, Scheme.HTTP))))
                .flatMap(Optional::stream);
    }

    private Task whole(OperationType type) {
        return new Task(type, cluster.getMetadata().getName());
    }

    private Stream<Effect> record(Task task, String reason) {
        return view.memory().operation().filter(task::isRecordedAs).isPresent()
                ? Stream.empty()
                : Stream.of(new RecordOperation(new Operation(task.type(), task.target(), view.now(), reason)));
    }

    private List<Effect> sleep(Step.Sleep step) {
        return Stream.concat(
                        record(whole(OperationType.SLEEP), step.reason()),
                        step.peers().stream().flatMap(peer -> stopped(peer, true)))
                .toList();
    }

    private List<Effect> wake(Step.Wake step) {
        return Stream.concat(
                        record(whole(OperationType.RESUME), step.reason()),
                        step.peers().stream().flatMap(peer -> stopped(peer, false)))
                .toList();
    }

    private Stream<Effect> stopped(PeerName name, boolean stop) {
        return peer(name)
                .map(peer -> new ReplacePeer(withSpec(peer, peer.getSpec().withStopped(stop))));
    }

    private List<Effect> change(Task task, String reason, MembershipChange change) {
        return Stream.concat(record(task, reason), Stream.of(new ChangeMembers(list(), change)))
                .toList();
    }

    /** The claim is retired before the member goes: no crash in between can leave data that nobody may delete. */
    private List<Effect> remove(Step.RemoveMember step) {
        Stream<Effect> retirement = claim(step.claimName())
                .filter(claim ->
                        view.claim(step.claimName()).filter(ClaimView::retired).isEmpty())
                .map(claim -> new Annotate(claim, Claims.retired(step.retiredFrom())));
        Stream<Effect> removal =
                step.member().stream().map(id -> new ChangeMembers(list(), new MembershipChange.Remove(id)));
        Stream<Effect> ending = step.peerStays()
                ? stopped(step.peer(), true)
                : peer(step.peer()).map(Delete::new);
        return Stream.of(
                        Stream.<Effect>of(new ConfirmMembers(list())),
                        record(step.task(), step.reason()),
                        retirement,
                        removal,
                        ending)
                .flatMap(effects -> effects)
                .toList();
    }

    /** The member is added before its peer is there: an empty volume starts etcd only behind its own member. */
    private List<Effect> admit(Step.Admit step) {
        var url = Addresses.peerUrl(Scheme.HTTP, Addresses.peerHost(view.wish().key(), step.peer()));
        boolean learner = view.wish().version().hasLearners();
        Stream<Effect> claim = claim(step.claimName()).findAny().isPresent()
                ? Stream.empty()
                : Stream.of(new Create(Claims.forJoining(cluster, step.peer(), step.claimName())));
        Stream<Effect> member = step.added()
                ? Stream.empty()
                : Stream.of(new ChangeMembers(list(), new MembershipChange.Add(url, learner)));
        return Stream.of(
                        Stream.<Effect>of(new ConfirmMembers(list())),
                        record(step.task(), step.reason()),
                        claim,
                        member,
                        joining(step))
                .flatMap(effects -> effects)
                .toList();
    }

    private Stream<Effect> joining(Step.Admit step) {
        EtcdPeer desired = Peers.joining(cluster, step.peer(), step.claimName(), step.members());
        Optional<EtcdPeer> present = peer(step.peer()).findFirst();
        if (present.isEmpty()) {
            return Stream.of(new Create(desired));
        }
        var annotations = PeerReplicaSet.startAnnotations(desired.getSpec().bootstrap(), Scheme.HTTP);
        Stream<Effect> pod = view
                .ownPeer(step.peer())
                .flatMap(view::podOf)
                .filter(current -> current.claimName().equals(step.claimName()))
                .flatMap(current -> find(objects.pods(), current.name()))
                .map(current -> new Annotate(current, annotations))
                .stream()
                .map(effect -> (Effect) effect);
        return Stream.concat(Stream.of(new ReplacePeer(withSpec(present.get(), desired.getSpec()))), pod);
    }

    /** Seen with yesterday's list, a member that has just left would get its claim back, and its pod. */
    private List<Effect> keep(Step.Keep step) {
        return Stream.concat(
                        Stream.<Effect>of(new ConfirmMembers(list())),
                        claim(step.claimName()).map(claim -> new Annotate(claim, Claims.kept())))
                .toList();
    }

    private List<Effect> discard(Step.Discard step) {
        return Stream.concat(
                        Stream.<Effect>of(new ConfirmMembers(list())),
                        claim(step.claimName()).map(Delete::new))
                .toList();
    }

    private MemberList list() {
        return view.reachable().orElseThrow().list();
    }

    private Stream<PersistentVolumeClaim> claim(String name) {
        return find(objects.claims(), name).stream();
    }

    private Stream<EtcdPeer> peer(PeerName name) {
        return find(objects.peers(), name.toString()).stream();
    }

    /** Members find each other by it, so it comes before them; the rest can wait until they are on their way. */
    private Stream<Effect> naming() {
        return support(Support::isNaming);
    }

    private Stream<Effect> otherSupport() {
        return support(Predicate.not(Support::isNaming));
    }

    private Stream<Effect> support(Predicate<HasMetadata> which) {
        return Support.desired(cluster, view.memory(), view.membership()).stream()
                .filter(desired -> view.drift().contains(Support.nameOf(desired)))
                .filter(which)
                .map(desired -> objects.support().stream()
                                .anyMatch(found -> Support.nameOf(found).equals(Support.nameOf(desired)))
                        ? new Apply(desired)
                        : new Create(desired));
    }

    /** Under the lock: a cluster that is being deleted itself, unseen yet, must not take its orphans back. */
    private List<Effect> adopt(Adopt step) {
        List<String> orphans = step.peers().stream().map(PeerName::toString).toList();
        return Stream.concat(record(whole(OperationType.ADOPT), step.reason()), align(orphans))
                .toList();
    }

    private List<String> driftedPeers() {
        return objects.peers().stream()
                .filter(peer -> view.drift().contains(Support.nameOf(peer)))
                .map(peer -> peer.getMetadata().getName())
                .toList();
    }

    /** Spec and owner as they should be; labels that others have added stay. */
    private Stream<Effect> align(List<String> peers) {
        return peers.stream()
                .flatMap(name -> find(objects.peers(), name).stream())
                .map(actual -> {
                    EtcdPeer desired = Peers.asItShouldBe(cluster, actual);
                    var metadata = new ObjectMetaBuilder(actual.getMetadata())
                            .addToLabels(desired.getMetadata().getLabels())
                            .withOwnerReferences(desired.getMetadata().getOwnerReferences())
                            .build();
                    EtcdPeer changed = withSpec(actual, desired.getSpec());
                    changed.setMetadata(metadata);
                    return new ReplacePeer(changed);
                });
    }

    private static EtcdPeer withSpec(EtcdPeer peer, EtcdPeerSpec spec) {
        var changed = new EtcdPeer();
        changed.setMetadata(peer.getMetadata());
        changed.setSpec(spec);
        changed.setStatus(peer.getStatus());
        return changed;
    }

    private static <T extends HasMetadata> Optional<T> find(List<T> objects, String name) {
        return objects.stream()
                .filter(object -> object.getMetadata().getName().equals(name))
                .findFirst();
    }
}
