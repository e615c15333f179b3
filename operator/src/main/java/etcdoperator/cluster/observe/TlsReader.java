package etcdoperator.cluster.observe;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.TlsSetup;
import etcdoperator.api.TlsSpec;
import etcdoperator.cluster.tls.AuthorityProblems;
import etcdoperator.cluster.tls.AuthorityView;
import etcdoperator.cluster.tls.CertificateNeeds;
import etcdoperator.cluster.tls.CertificateOrders;
import etcdoperator.cluster.tls.Certification;
import etcdoperator.cluster.tls.Copies;
import etcdoperator.cluster.tls.Passage;
import etcdoperator.cluster.tls.Rotation;
import etcdoperator.cluster.tls.SecretView;
import etcdoperator.cluster.tls.SharedAuthority;
import etcdoperator.cluster.view.Chores;
import etcdoperator.cluster.view.Issuance;
import etcdoperator.cluster.view.Issuance.Turn;
import etcdoperator.cluster.view.Membership;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Problem.Kind;
import etcdoperator.cluster.view.TlsView;
import etcdoperator.domain.Transport;
import etcdoperator.domain.Transport.Between;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.TlsSecrets;
import etcdoperator.tls.SecretKeys.Side;
import etcdoperator.tls.UnreadableException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Makes of Secrets, peers and pods what the planner sees of TLS. Pure. */
final class TlsReader {
    private final ClusterObjects objects;
    private final EtcdCluster cluster;
    private final TlsSpec spec;
    private final CertificateNeeds needs;
    private final SharedAuthority shared;
    private final Set<Between> present;
    private final Certification certification;
    private final List<PeerView> peers;
    private final List<PodView> pods;
    private final Following following;
    private final Chores chores;
    private final Instant now;

    /** @param domain what the names of services end in after {@code .svc} */
    TlsReader(
            ClusterObjects objects,
            String domain,
            SharedAuthority shared,
            List<PeerView> peers,
            List<PodView> pods,
            Membership membership,
            Chores chores,
            Instant now) {
        this.objects = objects;
        this.cluster = objects.cluster();
        this.spec = Objects.requireNonNullElse(cluster.getSpec().tls(), TlsSpec.NONE);
        this.shared = shared;
        this.needs = new CertificateNeeds(
                cluster, objects.support(), objects.nodeAddresses(), domain, shared.sans());
        this.present = Passage.present(peers, pods, membership);
        this.certification = new Certification(objects, needs, peers, present, now);
        this.peers = peers;
        this.pods = pods;
        this.following = new Following(cluster, peers, pods, membership, chores, now);
        this.chores = chores;
        this.now = now;
    }

    TlsView read() {
        if (cluster.getSpec().tls() == null
                && Set.of(Between.PLAIN).containsAll(present)
                && peers.stream().allMatch(peer -> peer.setup().tls().absent())) {
            return TlsView.PLAIN;
        }
        TlsSetup target = certification.target(present);
        var view = new TlsView(
                target,
                certification.known(),
                List.of(),
                certification.problem(),
                false,
                certification.ending(),
                certification
                        .ending()
                        .map(TlsView.Ending::at)
                        .filter(end -> !end.isBefore(now))
                        .map(end -> end.plusSeconds(1)),
                shared.trusted(),
                shared.remark());
        if (shared.refusal().isPresent()) {
            return view.refused(shared.refusal().get());
        }
        TlsView copied = copied(ordered(view));
        return certification.isManaged() ? managed(copied) : copied;
    }

    private TlsView copied(TlsView view) {
        var copies = new Copies(objects, needs, shared, peers, now);
        boolean followed = following.isFollowed(view.target());
        boolean look = copies.wantsLook(followed, following.showing());
        return view.withMoreDue(copies.due(followed, following.showing()))
                .withLook(look && following.isToLook())
                .withNextAt(look ? Optional.of(now.plus(Following.LOOK_AGAIN)) : view.nextAt());
    }

    private TlsView ordered(TlsView view) {
        var orders = new CertificateOrders(objects, needs, shared);
        List<Issuance> due = orders.due();
        return due.isEmpty()
                ? orders.outstanding()
                        .map(why -> view.withProblem(new Problem(Kind.CertificatesMissing, why)))
                        .orElse(view)
                : view.withDue(due);
    }

    private TlsView managed(TlsView view) {
        var secret = certification.secret(TlsSecrets.authority(Labels.keyOf(cluster)));
        if (secret.isEmpty()) {
            return withoutAuthority(view);
        }
        try {
            return managed(view, AuthorityView.of(secret.get()));
        } catch (UnreadableException e) {
            return view.withProblem(AuthorityProblems.unreadable(secret.get(), e));
        }
    }

    /**
     * Members trust the one that is gone; what it was is known only as long as some Secret says so. Who is set up with it
     * may have read it this moment, unseen.
     */
    private TlsView withoutAuthority(TlsView view) {
        boolean remembered = SecretView.remembered(objects)
                .filter(trusted -> trusted.certificates().stream().anyMatch(one -> now.isBefore(one.notAfter())))
                .isPresent();
        if (remembered && !certification.used().isEmpty()) {
            return view.withMoreDue(List.of(authority(Turn.RESCUE)));
        }
        return anew(view, AuthorityProblems.gone());
    }

    /** Another one begins, unless somebody trusts the one before. */
    private TlsView anew(TlsView view, Problem otherwise) {
        return isTrusted() ? view.withProblem(otherwise) : view.withMoreDue(List.of(authority(Turn.BEGIN)));
    }

    /** Whether anybody has read whom to trust. A pod without an address waits for its Secrets; one that leaves is past it. */
    private boolean isTrusted() {
        return pods.stream()
                .filter(pod -> !pod.deleting())
                .anyMatch(pod -> pod.address().isPresent() && !pod.transport().equals(Transport.PLAIN));
    }

    private TlsView managed(TlsView view, AuthorityView authority) {
        var lifetimes = spec.lifetimes();
        var rotation = new Rotation(
                authority,
                Optional.ofNullable(cluster.getMetadata().getAnnotations()).map(all -> all.get(TlsSecrets.ROTATE)),
                lifetimes.caLifetimeOrDefault(),
                lifetimes.leafLifetimeOrDefault(),
                now);
        List<Issuance> leaves = certification.managed().stream()
                .filter(leaf -> isDue(leaf, authority))
                .map(Issuance.class::cast)
                .toList();
        Optional<Problem> useless = rotation.useless(TlsSecrets.authority(Labels.keyOf(cluster)));
        if (useless.isPresent()) {
            return anew(view, useless.get());
        }
        List<String> unsigned = authority.keyed() ? List.of() : withoutCertificate(certification.used());
        if (!unsigned.isEmpty()) {
            return anew(view, AuthorityProblems.keyGone(unsigned));
        }
        if (certification.precedes(authority)) {
            return latecomer(view, authority, leaves);
        }
        boolean followed = leaves.isEmpty() && following.isFollowed(view.target());
        List<Issuance> due = leaves.isEmpty()
                ? rotation.turn(followed, following.isShown(authority, certification.managed())).stream()
                        .<Issuance>map(this::authority)
                        .toList()
                : leaves;
        TlsView known = awaited(rotation, followed && due.isEmpty())
                .map(view::withProblem)
                .orElse(view);
        return known.withMoreDue(due)
                .withLook(view.look() || rotation.wantsLook(followed) && !following.isShown(authority, certification.managed()) && following.isToLook())
                .withNextAt(Stream.concat(view.nextAt().stream(), nextAt(rotation).stream())
                        .min(Comparator.naturalOrder()));
    }

    /**
     * An authority that was begun while nobody saw the Secrets members had been set up with. They may run with them,
     * unseen as well, and would trust nothing that this one signs.
     */
    private TlsView latecomer(TlsView view, AuthorityView authority, List<Issuance> leaves) {
        List<String> unseen = withoutCertificate(certification.used());
        boolean signed = certification.used().stream()
                .flatMap(leaf -> view(leaf).flatMap(SecretView::certificate).stream())
                .anyMatch(certificate -> certificate.namesAsIssuer(authority.signs()));
        if (unseen.isEmpty() && !signed) {
            return view.withMoreDue(List.of(authority(Turn.YIELD)));
        }
        // One that is there after all cannot be created: nothing is replaced before all of them are seen.
        Comparator<Issuance> unseenFirst = Comparator.comparing(leaf -> !unseen.contains(leaf.secret()));
        return isTrusted()
                ? view.withProblem(AuthorityProblems.gone())
                : view.withMoreDue(leaves.stream().sorted(unseenFirst).toList());
    }

    /** Nobody can sign what has been asked for since the key was lost, until the next authority does. */
    private Optional<Problem> awaited(Rotation rotation, boolean onlyForTime) {
        if (rotation.authority().keyed() || !onlyForTime) {
            return Optional.empty();
        }
        List<String> unsigned = withoutCertificate(certification.managed());
        return unsigned.isEmpty()
                ? Optional.empty()
                : Optional.of(AuthorityProblems.keyAwaited(unsigned, rotation.nextAt()));
    }

    private Issuance authority(Turn turn) {
        return new Issuance.Authority(TlsSecrets.authority(Labels.keyOf(cluster)), turn);
    }

    private boolean isDue(Issuance.Leaf leaf, AuthorityView authority) {
        if (!authority.keyed()) {
            // All else waits until the next one signs.
            return view(leaf)
                    .filter(secret -> secret.certificate().isPresent() && !secret.trusts(authority))
                    .isPresent();
        }
        return view(leaf)
                .filter(secret -> secret.stays(leaf.request(), authority, now))
                .isEmpty();
    }

    private Optional<SecretView> view(Issuance.Leaf leaf) {
        // What the operator makes has the same keys on every side.
        return certification.secret(leaf.secret()).map(secret -> new SecretView(secret, Side.SERVER));
    }

    private Optional<Instant> nextAt(Rotation rotation) {
        Stream<Instant> leaves = certification.managed().stream()
                .flatMap(leaf ->
                        view(leaf).map(secret -> secret.renewal(leaf.request().lifetime())).stream());
        Stream<Instant> look = chores.sight().map(sight -> sight.at().plus(Following.LOOK_AGAIN)).stream();
        return Stream.of(leaves, look, Stream.of(rotation.nextAt()))
                .flatMap(all -> all)
                .filter(next -> next.isAfter(now))
                .min(Comparator.naturalOrder());
    }

    private List<String> withoutCertificate(List<Issuance.Leaf> leaves) {
        return leaves.stream()
                .filter(leaf -> view(leaf).filter(SecretView::isKeyed).isEmpty())
                .map(Issuance.Leaf::secret)
                .toList();
    }
}
