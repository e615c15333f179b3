package etcdoperator.cluster.effect;

import static java.util.stream.Collectors.toSet;

import etcdoperator.api.EtcdPeer;
import etcdoperator.cluster.effect.Effect.Annotate;
import etcdoperator.cluster.effect.Effect.ChangeMembers;
import etcdoperator.cluster.effect.Effect.ConfirmMembers;
import etcdoperator.cluster.effect.Effect.Create;
import etcdoperator.cluster.effect.Effect.Delete;
import etcdoperator.cluster.effect.Effect.ReplacePeer;
import etcdoperator.cluster.step.ClaimStep;
import etcdoperator.cluster.step.MembershipStep;
import etcdoperator.cluster.step.Task;
import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.domain.Promotion;
import etcdoperator.domain.Scheme;
import etcdoperator.etcd.MemberList;
import etcdoperator.etcd.MembershipChange;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.Kube.ClaimMark;
import etcdoperator.manifest.Addresses;
import etcdoperator.manifest.Claims;
import etcdoperator.manifest.PeerReplicaSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The effects of steps that change who is a member, in an order that a crash between any two does not harm. */
final class MembershipEffects {
    private final Scene scene;
    private final ClusterView view;

    MembershipEffects(Scene scene) {
        this.scene = scene;
        this.view = scene.view();
    }

    List<Effect> change(Task task, String reason, MembershipChange change) {
        return Stream.concat(scene.record(task, reason), Stream.of(new ChangeMembers(list(), change)))
                .toList();
    }

    /** The claim is retired before the member goes: no crash in between can leave data that nobody may delete. */
    List<Effect> remove(MembershipStep.RemoveMember step) {
        Stream<Effect> retirement = scene.claim(step.claimName())
                .filter(claim ->
                        view.claim(step.claimName()).filter(ClaimView::retired).isEmpty())
                .map(claim -> new Annotate(claim, Claims.retired(step.retiredFrom())));
        Stream<Effect> removal =
                step.member().stream().map(id -> new ChangeMembers(list(), new MembershipChange.Remove(id)));
        Stream<Effect> ending = step.peerStays()
                ? scene.stopped(step.peer(), true)
                : scene.peer(step.peer()).map(Delete::new);
        return Stream.of(
                        look(step),
                        Stream.<Effect>of(new ConfirmMembers(list())),
                        scene.record(step.task(), step.reason()),
                        retirement,
                        removal,
                        ending)
                .flatMap(effects -> effects)
                .toList();
    }

    /** That a claim is gone is a reason to remove a member, and a cache can be older than the claim. */
    private Stream<Effect> look(MembershipStep.RemoveMember step) {
        return step.member().isPresent()
                        && scene.claim(step.claimName()).findAny().isEmpty()
                ? Stream.of(new Effect.RequireLossAsSeen())
                : Stream.empty();
    }

    /** Recorded before etcd is asked: if most voters are lost then, a learner counts as one that may vote. */
    List<Effect> promote(MembershipStep.Promote step) {
        Stream<Effect> promotion = view
                .ownPeer(step.peer())
                .flatMap(peer -> view.claim(peer.claimName()))
                .filter(ClaimView::learns)
                .map(claim -> mark(claim.name(), Claims.promoted(Promotion.REQUESTED)))
                .stream()
                .flatMap(List::stream);
        return Stream.of(
                        scene.record(step.task(), step.reason()),
                        promotion,
                        Stream.<Effect>of(new ChangeMembers(list(), new MembershipChange.Promote(step.member()))))
                .flatMap(effects -> effects)
                .toList();
    }

    /** The member is added before its peer is there: an empty volume starts etcd only behind its own member. */
    List<Effect> admit(MembershipStep.Admit step) {
        Scheme scheme = schemeOf(step);
        boolean learner = view.wish().version().hasLearners();
        Stream<Effect> claim = step.added()
                ? Stream.empty()
                : claimFor(step, scheme, learner ? Promotion.NOT_REQUESTED : Promotion.REQUESTED);
        Stream<Effect> member = step.added()
                ? Stream.empty()
                : Stream.of(
                        new ChangeMembers(list(), new MembershipChange.Add(url(scheme, step.claimName()), learner)));
        return Stream.of(
                        Stream.<Effect>of(new ConfirmMembers(list())),
                        scene.record(step.task(), step.reason()),
                        claim,
                        member,
                        joining(step, scheme))
                .flatMap(effects -> effects)
                .toList();
    }

    /** What it records of a promotion must be true before its member is added. */
    private Stream<Effect> claimFor(MembershipStep.Admit step, Scheme scheme, Promotion promotion) {
        Optional<ClaimView> present = view.claim(step.claimName());
        if (present.isEmpty()) {
            return Stream.of(
                    new Create(Claims.forJoining(scene.cluster(), step.peer(), step.claimName(), scheme, promotion)));
        }
        return present.get().promotion().equals(Optional.of(promotion))
                ? Stream.empty()
                : mark(step.claimName(), Claims.promoted(promotion)).stream();
    }

    /** One that is listed already is started as it is listed. */
    private Scheme schemeOf(MembershipStep.Admit step) {
        return view.reachable()
                .flatMap(reachable -> reachable.memberOn(step.claimName()))
                .map(MemberView::scheme)
                .orElse(view.tls().scheme());
    }

    private Set<String> overTls(MembershipStep.Admit step, Scheme own) {
        Set<String> claims = view.reachable().orElseThrow().members().stream()
                .filter(member -> member.scheme() == Scheme.HTTPS)
                .flatMap(member -> member.claimName().stream())
                .collect(toSet());
        if (own == Scheme.HTTPS) {
            claims.add(step.claimName());
        }
        return claims;
    }

    private String url(Scheme scheme, String claimName) {
        return Addresses.peerUrl(scheme, Addresses.memberHost(view.wish().key(), claimName));
    }

    /** The claim first, which tells how to start its member when everything else is gone. */
    List<Effect> relist(MembershipStep.Relist step) {
        var change = new MembershipChange.Relist(step.member(), url(step.scheme(), step.claimName()));
        return Stream.of(
                        Stream.<Effect>of(new ConfirmMembers(list())),
                        scene.record(step.task(), step.reason()),
                        scene.claim(step.claimName())
                                .<Effect>map(claim -> new Annotate(claim, Claims.relisted(step.scheme()))),
                        Stream.<Effect>of(new ChangeMembers(list(), change)))
                .flatMap(effects -> effects)
                .toList();
    }

    private Stream<Effect> joining(MembershipStep.Admit step, Scheme scheme) {
        EtcdPeer desired = scene.peers(scheme)
                .joining(step.peer(), step.claimName(), step.members(), overTls(step, scheme), step.version());
        Optional<EtcdPeer> present = scene.peer(step.peer()).findFirst();
        if (present.isEmpty()) {
            return Stream.of(new Create(desired));
        }
        var annotations = PeerReplicaSet.startAnnotations(desired.getSpec().bootstrap());
        Stream<Effect> pod = view
                .ownPeer(step.peer())
                .flatMap(view::podOf)
                .filter(current -> current.claimName().equals(step.claimName()))
                .flatMap(current -> ClusterObjects.find(scene.objects().pods(), current.name()))
                .map(current -> new Annotate(current, annotations))
                .stream()
                .map(effect -> (Effect) effect);
        return Stream.concat(Stream.of(new ReplacePeer(Scene.withSpec(present.get(), desired.getSpec()))), pod);
    }

    List<Effect> discard(ClaimStep.Discard step) {
        return Stream.concat(
                        Stream.<Effect>of(new ConfirmMembers(list())),
                        scene.claim(step.claimName()).map(Delete::new))
                .toList();
    }

    /** Seen with yesterday's list, a member that has just left would get its claim back, and its pod. */
    List<Effect> keep(ClaimStep.Keep step) {
        return Stream.concat(
                        Stream.<Effect>of(new ConfirmMembers(list())), mark(step.claimName(), Claims.kept()).stream())
                .toList();
    }

    List<Effect> protect(ClaimStep.Protect step) {
        return step.claims().stream()
                .flatMap(scene::claim)
                .<Effect>map(claim -> new Effect.Mark(claim, ClaimMark.leftAlone(claim)))
                .toList();
    }

    List<Effect> mark(String claimName, Map<String, String> annotations) {
        return scene.claim(claimName)
                .<Effect>map(claim -> new Annotate(claim, annotations))
                .toList();
    }

    private MemberList list() {
        return view.reachable().orElseThrow().list();
    }
}
