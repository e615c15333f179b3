package etcdoperator.cluster.tls;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.TlsSetup;
import etcdoperator.api.TlsSetup.ClientSide;
import etcdoperator.api.TlsSetup.PeerSide;
import etcdoperator.api.TlsSetup.PeerStage;
import etcdoperator.api.TlsSetup.SecretFiles;
import etcdoperator.api.TlsSpec;
import etcdoperator.api.TlsSpec.ClientTls;
import etcdoperator.api.TlsSpec.ClientTlsMode;
import etcdoperator.api.TlsSpec.PeerTls;
import etcdoperator.api.TlsSpec.SecretCertificates;
import etcdoperator.cluster.view.Issuance;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Problem.Kind;
import etcdoperator.cluster.view.Source;
import etcdoperator.cluster.view.TlsView.Ending;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.Transport.Between;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.Orders;
import etcdoperator.manifest.TlsSecrets;
import etcdoperator.tls.LeafRequest;
import etcdoperator.tls.SecretKeys.Side;
import etcdoperator.tls.Usage;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Judges the Secrets that a cluster's TLS rests on: whether they can be used, and how members are to speak next. Pure. */
public final class Certification {
    private static final Set<Usage> BOTH = Set.of(Usage.SERVER, Usage.CLIENT);

    private final ClusterObjects objects;
    private final ClusterKey key;
    private final TlsSpec spec;
    private final CertificateNeeds needs;
    private final List<PeerView> peers;
    private final Instant now;

    public Certification(ClusterObjects objects, CertificateNeeds needs, List<PeerView> peers, Instant now) {
        EtcdCluster cluster = objects.cluster();
        this.objects = objects;
        this.key = Labels.keyOf(cluster);
        this.spec = Objects.requireNonNullElse(cluster.getSpec().tls(), TlsSpec.NONE);
        this.needs = needs;
        this.peers = peers.stream()
                .filter(peer -> peer.owner() == PeerView.Owner.THIS_CLUSTER && !peer.deleting())
                .toList();
        this.now = now;
    }

    /** How members are to speak next, given how they do. */
    public TlsSetup target(Collection<Between> present) {
        boolean others = usesOthers(
                TlsSetup::peer,
                PeerSide::files,
                Optional.ofNullable(wantedPeer()).map(PeerSide::files));
        return new TlsSetup(client(), peer(Passage.next(spec.peer() != null && !others, present)));
    }

    /**
     * Whether members still have certificates from elsewhere. Between two sources there is only plaintext, or those who
     * have the one would not trust those who have the other.
     */
    private <S> boolean usesOthers(
            Function<TlsSetup, @Nullable S> side, Function<S, SecretFiles> files, Optional<SecretFiles> wanted) {
        return wanted.isPresent()
                && present(side)
                        .anyMatch(has ->
                                !files.apply(has).name().equals(wanted.get().name()));
    }

    private <S> Stream<S> present(Function<TlsSetup, @Nullable S> side) {
        return peers.stream()
                .flatMap(peer -> Stream.ofNullable(side.apply(peer.setup().tls())));
    }

    /** As the Secret has it, or some member while that is of no use. */
    public Optional<PeerSide> known() {
        Optional<PeerSide> wanted = Optional.ofNullable(wantedPeer());
        boolean others = usesOthers(TlsSetup::peer, PeerSide::files, wanted.map(PeerSide::files));
        return wanted.filter(side -> !others).or(() -> present(TlsSetup::peer).findFirst());
    }

    private @Nullable ClientSide client() {
        ClientTls client = spec.client();
        if (client == null) {
            return null;
        }
        var mode = Objects.requireNonNullElse(client.mode(), ClientTlsMode.REQUIRED);
        Optional<SecretFiles> files = files(Source.toClients(spec, key), TlsSecrets.server(key));
        if (usesOthers(TlsSetup::client, ClientSide::files, files)) {
            return null;
        }
        // While a Secret cannot be used, nothing changes for those who have it.
        return files.map(found -> new ClientSide(mode, found))
                .or(() -> present(TlsSetup::client).findFirst())
                .orElse(null);
    }

    private @Nullable PeerSide peer(Between next) {
        return switch (next) {
            case PLAIN -> null;
            case PREPARED -> side(PeerStage.PREPARED);
            case REQUIRED -> side(PeerStage.REQUIRED);
        };
    }

    private @Nullable PeerSide side(PeerStage stage) {
        return known().map(side -> new PeerSide(stage, side.files(), side.commonName()))
                .orElse(null);
    }

    private @Nullable PeerSide wantedPeer() {
        PeerTls peer = spec.peer();
        if (peer == null) {
            return null;
        }
        String commonName = peer.secret() == null ? needs.commonNameOfPeers() : null;
        return files(Source.betweenMembers(spec, key), TlsSecrets.peer(key))
                .map(files -> new PeerSide(PeerStage.REQUIRED, files, commonName))
                .orElse(null);
    }

    /** What others make is mounted only after it was taken over. */
    private Optional<SecretFiles> files(Optional<Source> others, String made) {
        return view(others.map(Source::mounted).orElse(made), Side.SERVER).flatMap(SecretView::files);
    }

    private Optional<SecretView> view(String name, Side side) {
        return secret(name).map(secret -> new SecretView(secret, side));
    }

    public Optional<Secret> secret(String name) {
        return objects.secrets().stream()
                .filter(secret -> secret.getMetadata().getName().equals(name))
                .findFirst();
    }

    /** What is wrong with Secrets that others keep. */
    public Optional<Problem> problem() {
        Optional<SecretCertificates> client = Optional.ofNullable(spec.client()).map(ClientTls::secret);
        Optional<SecretCertificates> peer = Optional.ofNullable(spec.peer()).map(PeerTls::secret);
        return Stream.of(
                        client.flatMap(secret ->
                                complaint(secret.name(), "spec.tls.client", Side.SERVER, needs.callings(), BOTH)),
                        client.flatMap(secret -> Optional.ofNullable(secret.clientName()))
                                .flatMap(name -> complaint(
                                        name, "spec.tls.client", Side.CLIENT, Set.of(), Set.of(Usage.CLIENT))),
                        peer.flatMap(secret ->
                                complaint(secret.name(), "spec.tls.peer", Side.PEER, needs.memberCallings(), BOTH)))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<Problem> complaint(String name, String field, Side side, Set<String> names, Set<Usage> usages) {
        Optional<SecretView> view = view(name, side);
        if (view.isEmpty()) {
            return Optional.of(new Problem(
                    Kind.CertificatesInvalid,
                    "Secret %s, which %s names, does not exist; create it, with the keys tls.crt, tls.key and ca.crt"
                            .formatted(name, field)));
        }
        return view.get()
                .complaint(names, usages, now)
                .map(why -> new Problem(
                        Kind.CertificatesInvalid,
                        "Secret %s, which %s names, cannot be used: %s; put a good certificate there, and nothing is done to the members until then"
                                .formatted(name, field, why)));
    }

    /** Which of the certificates in use is the first to end. */
    public Optional<Ending> ending() {
        return Stream.of(
                        Optional.ofNullable(spec.client())
                                .flatMap(client -> ending(client.secret(), TlsSecrets.server(key), Side.SERVER)),
                        Optional.ofNullable(spec.peer())
                                .flatMap(peer -> ending(peer.secret(), TlsSecrets.peer(key), Side.PEER)))
                .flatMap(Optional::stream)
                .min(Comparator.comparing(Ending::at));
    }

    private Optional<Ending> ending(@Nullable SecretCertificates brought, String made, Side side) {
        String name = brought == null ? made : brought.name();
        return view(name, side)
                .flatMap(SecretView::certificate)
                .map(certificate -> new Ending(name, certificate.notAfter(), brought == null));
    }

    public boolean isManaged() {
        return !managed().isEmpty();
    }

    /** Certificates that the operator makes: those asked for, and those that somebody on his way from TLS still needs. */
    public List<Issuance.Leaf> managed() {
        boolean client = spec.client() != null && spec.client().managed() != null;
        boolean peer = spec.peer() != null && spec.peer().managed() != null;
        return leaves(client || isUsedForClients(), peer || isUsedBetweenMembers());
    }

    /** Those without which a member cannot start again, or not be asked. */
    public List<Issuance.Leaf> used() {
        return leaves(isUsedForClients(), isUsedBetweenMembers());
    }

    /** Whether members were set up with certificates of another one, which this one knows nothing of. */
    public boolean precedes(AuthorityView authority) {
        Set<SecretFiles> mounted = Stream.concat(
                        present(TlsSetup::client).map(ClientSide::files),
                        present(TlsSetup::peer).map(PeerSide::files))
                .collect(Collectors.toSet());
        return authority.next().isEmpty()
                && authority.previous().isEmpty()
                && used().stream()
                        .flatMap(leaf -> view(leaf.secret(), Side.SERVER).stream())
                        .filter(leaf -> leaf.files().filter(mounted::contains).isPresent())
                        .anyMatch(leaf -> leaf.isOfAnother(authority, now));
    }

    private List<Issuance.Leaf> leaves(boolean client, boolean peer) {
        return Stream.concat(
                        client ? leaves(needs.ofClients()) : Stream.empty(),
                        peer ? leaves(needs.ofPeers()) : Stream.empty())
                .toList();
    }

    private boolean isUsedForClients() {
        boolean ordered = spec.client() != null && spec.client().certManager() != null;
        return !ordered
                && isUsed(TlsSecrets.server(key), present(TlsSetup::client).map(ClientSide::files));
    }

    private boolean isUsedBetweenMembers() {
        boolean ordered = spec.peer() != null && spec.peer().certManager() != null;
        return !ordered && isUsed(TlsSecrets.peer(key), present(TlsSetup::peer).map(PeerSide::files));
    }

    /** What cert-manager made is not renewed by anybody else. */
    private boolean isUsed(String secret, Stream<SecretFiles> mounted) {
        return secret(secret).filter(Orders::isFilled).isEmpty()
                && mounted.anyMatch(files -> files.name().equals(secret));
    }

    private static Stream<Issuance.Leaf> leaves(Map<String, LeafRequest> requests) {
        return requests.entrySet().stream().map(entry -> new Issuance.Leaf(entry.getKey(), entry.getValue()));
    }
}
