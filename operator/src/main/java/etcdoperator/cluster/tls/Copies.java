package etcdoperator.cluster.tls;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.TlsSetup.ClientSide;
import etcdoperator.api.TlsSetup.PeerSide;
import etcdoperator.api.TlsSetup.SecretFiles;
import etcdoperator.api.TlsSpec;
import etcdoperator.cluster.view.Issuance;
import etcdoperator.cluster.view.Issuance.Part;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.Source;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.TlsSecrets;
import etcdoperator.tls.CertificateView;
import etcdoperator.tls.SecretKeys.Side;
import etcdoperator.tls.TrustBundle;
import etcdoperator.tls.Usage;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How members come to what others have made, as they come to what the operator makes: first all trust whoever signed it
 * beside those of before, then it is shown, and when all were seen to show it, nobody else is trusted any more. So an
 * authority may be replaced as a whole. Pure.
 */
public final class Copies {
    /** For those who sign without saying by which key; kubelets bring what is in a Secret within two minutes. */
    private static final Duration LONG_ENOUGH = Duration.ofMinutes(5);

    private final ClusterObjects objects;
    private final CertificateNeeds needs;
    private final SharedAuthority shared;
    private final List<Source> sources;
    private final Set<String> used;
    private final Instant now;

    public Copies(
            ClusterObjects objects,
            CertificateNeeds needs,
            SharedAuthority shared,
            List<PeerView> peers,
            Instant now) {
        EtcdCluster cluster = objects.cluster();
        TlsSpec spec = Objects.requireNonNullElse(cluster.getSpec().tls(), TlsSpec.NONE);
        this.objects = objects;
        this.needs = needs;
        this.shared = shared;
        this.sources = Source.of(spec, Labels.keyOf(cluster)).toList();
        this.used = peers.stream()
                .map(peer -> peer.setup().tls())
                .flatMap(tls -> Stream.concat(
                        Stream.ofNullable(tls.client()).map(ClientSide::files),
                        Stream.ofNullable(tls.peer()).map(PeerSide::files)))
                .map(SecretFiles::name)
                .collect(Collectors.toSet());
        this.now = now;
    }

    /**
     * What is to be taken over now.
     *
     * @param followed whether all that run were started with whom the copies say to trust, and are well
     * @param seen what members show
     */
    public List<Issuance> due(boolean followed, Optional<Showing> seen) {
        return sources.stream()
                .flatMap(source -> next(source, followed, seen).stream())
                .<Issuance>map(copy -> copy)
                .toList();
    }

    /** Whether only what members show keeps those of before from being forgotten. */
    public boolean wantsLook(boolean followed, Optional<Showing> seen) {
        return followed && sources.stream().anyMatch(source -> isLastStep(source) && !isShown(source, seen));
    }

    private Optional<Issuance.Copy> next(Source source, boolean followed, Optional<Showing> seen) {
        Optional<SecretView> given = given(source);
        return given.flatMap(from -> part(source, from, followed, seen))
                .map(part -> new Issuance.Copy(source.mounted(), source, part));
    }

    private Optional<Part> part(Source source, SecretView from, boolean followed, Optional<Showing> seen) {
        Optional<SecretView> mounted = mounted(source).filter(to -> to.files().isPresent());
        if (mounted.isEmpty()) {
            return Optional.of(Part.ALL);
        }
        SecretView to = mounted.get();
        TrustBundle has = to.trusted().orElseThrow();
        TrustBundle wanted = from.trusted().orElseThrow();
        boolean same = from.pair().equals(to.pair());
        if (same && has.equals(wanted)) {
            return Optional.empty();
        }
        if (!used.contains(source.mounted())) {
            return Optional.of(Part.ALL);
        }
        if (!has.plus(wanted).equals(has)) {
            return Optional.of(Part.TRUST);
        }
        if (!same) {
            return followed || isOfTheSame(from, to) || !isStillGood(to) ? Optional.of(Part.LEAF) : Optional.empty();
        }
        return followed && isShown(source, seen) ? Optional.of(Part.ALL) : Optional.empty();
    }

    private boolean isLastStep(Source source) {
        return given(source)
                .flatMap(from -> mounted(source)
                        .filter(to -> from.pair().equals(to.pair())
                                && !from.trusted().equals(to.trusted())
                                && used.contains(source.mounted())))
                .isPresent();
    }

    /** A renewal: whoever trusts the one trusts the other. */
    private static boolean isOfTheSame(SecretView one, SecretView other) {
        Optional<String> issuer = one.certificate().flatMap(CertificateView::issuerKeyId);
        return issuer.isPresent() && issuer.equals(other.certificate().flatMap(CertificateView::issuerKeyId));
    }

    private boolean isStillGood(SecretView view) {
        return view.isKeyed()
                && view.certificate().filter(has -> has.isValidAt(now)).isPresent();
    }

    private boolean isShown(Source source, Optional<Showing> seen) {
        Instant since = ClusterObjects.find(objects.secrets(), source.mounted())
                .map(TlsSecrets::since)
                .orElse(Instant.EPOCH);
        Optional<String> signer = given(source).flatMap(SecretView::certificate).flatMap(CertificateView::issuerKeyId);
        return signer.isEmpty()
                ? now.isAfter(since.plus(LONG_ENOUGH))
                : seen.filter(showing -> showing.sight().at().isAfter(since))
                        .filter(showing -> showing.show(source.mounted(), signer))
                        .isPresent();
    }

    /** What can be used of it: a certificate that is wrong or over is told of elsewhere, and not taken over. */
    private Optional<SecretView> given(Source source) {
        return ClusterObjects.find(objects.secrets(), source.secret())
                .filter(secret -> shared.mayTake(source))
                .map(secret -> new SecretView(secret, source.side()))
                .filter(view -> view.files().isPresent())
                .filter(view -> view.complaint(callings(source), Set.of(Usage.SERVER, Usage.CLIENT), now)
                        .isEmpty());
    }

    private Set<String> callings(Source source) {
        return source.side() == Side.PEER ? needs.memberCallings() : needs.callings();
    }

    private Optional<SecretView> mounted(Source source) {
        return ClusterObjects.find(objects.secrets(), source.mounted()).map(Copies::copy);
    }

    /** What the operator makes has the same keys on every side. */
    private static SecretView copy(Secret secret) {
        return new SecretView(secret, Side.SERVER);
    }
}
