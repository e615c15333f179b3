package etcdoperator.cluster.tls;

import static java.util.function.Predicate.not;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.TlsSpec;
import etcdoperator.api.TlsSpec.IssuerRef;
import etcdoperator.certmanager.Certificate;
import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Problem.Kind;
import etcdoperator.cluster.view.Source;
import etcdoperator.cluster.view.TlsView.Remark;
import etcdoperator.domain.AuthorityPolicy;
import etcdoperator.domain.ClusterKey;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.AuthorityMarks;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.TlsSecrets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Keeps clusters apart that trust one certificate authority. etcd takes the common name of a client's certificate for its
 * user, so the certificates of one such cluster open every other one. A new cluster does not start with the authority of
 * another cluster, and a running cluster does not change to it. What runs already is left as it is and reported. Pure.
 */
public final class SharedAuthority {
    private final ClusterObjects objects;
    private final EtcdCluster cluster;
    private final TlsSpec spec;
    private final AuthorityPolicy policy;
    private final List<String> trusted;
    private final Map<Source, Set<String>> given;
    private final Sharers sharers;
    private final Set<ClusterKey> acceptedByIssuer;
    private final Set<ClusterKey> acceptedByKey;

    SharedAuthority(ClusterObjects objects, AuthorityRules rules) {
        var keys = new TrustedKeys(objects);
        this.objects = objects;
        this.cluster = objects.cluster();
        this.spec = Objects.requireNonNullElse(cluster.getSpec().tls(), TlsSpec.NONE);
        this.policy = rules.policy();
        this.trusted = keys.mounted();
        this.given = Source.of(spec, Labels.keyOf(cluster)).collect(Collectors.toMap(source -> source, keys::given));
        this.sharers = new Sharers(cluster, rules.cache().trusting(marks()));
        this.acceptedByIssuer = isKnown() ? sharers.sharing(issuersInUse()) : Set.of();
        this.acceptedByKey = isKnown() ? sharers.sharing(AuthorityMarks.ofKeys(trusted)) : Set.of();
    }

    /** All that others can share with this cluster. */
    private Set<String> marks() {
        return Stream.of(
                        issuersInUse(),
                        AuthorityMarks.issuers(cluster),
                        AuthorityMarks.ofKeys(trusted),
                        AuthorityMarks.ofKeys(given()))
                .flatMap(Set::stream)
                .collect(Collectors.toSet());
    }

    private Set<String> issuersInUse() {
        return placed()
                .flatMap(certificate -> issuer(certificate).stream())
                .map(issuer -> AuthorityMarks.ofIssuer(cluster, issuer))
                .collect(Collectors.toSet());
    }

    /** What others have put into the Secrets that the spec asks for. */
    private Set<String> given() {
        return given.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
    }

    /** For the status of the cluster, by which others find it. */
    public List<String> trusted() {
        return trusted;
    }

    /** Why a new cluster does not start. */
    public Optional<Problem> refusal() {
        if (runs()) {
            return Optional.empty();
        }
        Set<ClusterKey> found = newClusters();
        if (!found.isEmpty() && !policy.allowsSharing()) {
            return Optional.of(new Problem(
                    Kind.AuthorityShared,
                    ("The certificate authority of this cluster is trusted by %s, too, so that each of them could log in to the"
                                    + " other as root; the cluster does not start. Give it an authority of its own:"
                                    + " spec.tls.client.managed and spec.tls.peer.managed, or another issuer or Secret. If both"
                                    + " have the same users, the operator's administrator can allow it with the chart value"
                                    + " tls.sharedAuthorities")
                            .formatted(sharers.named(found))));
        }
        return refusedNames().isEmpty()
                ? Optional.empty()
                : Optional.of(new Problem(Kind.SettingsRefused, namesRefused() + "; the cluster does not start"));
    }

    /** What is reported of a cluster that runs. */
    public Optional<Remark> remark() {
        if (!runs()) {
            return Optional.empty();
        }
        if (!refusedChanges().isEmpty()) {
            return Optional.of(new Remark(
                    "ChangeRefused",
                    ("%s would make the cluster trust the certificate authority of %s, so that each of them could log in to"
                                    + " the other as root. The operator goes on with the certificates of before; take"
                                    + " another issuer or Secret")
                            .formatted(String.join(" and ", refusedChanges()), sharers.named(newClusters()))));
        }
        if (!refusedNames().isEmpty()) {
            return Optional.of(new Remark(
                    "NamesRefused", namesRefused() + "; the certificates are made without them"));
        }
        Set<ClusterKey> accepted = union(acceptedByIssuer, acceptedByKey);
        return accepted.isEmpty() || policy.allowsSharing()
                ? Optional.empty()
                : Optional.of(new Remark(
                        "AuthorityShared",
                        ("The certificate authority of this cluster is trusted by %s, too: each of them can log in to the"
                                        + " other as root. Nothing is changed; give one of them an authority of its own")
                                .formatted(sharers.named(accepted))));
    }

    /** Which of the wanted extra names certificates are made for. */
    public List<String> sans() {
        return spec.extraSANs().stream().filter(this::allowsName).toList();
    }

    /** Which issuer is asked: the wanted one, or that of before where the change is refused. */
    Optional<IssuerRef> issuerFor(String secret, IssuerRef wanted) {
        Optional<IssuerRef> before = placed()
                .filter(certificate -> certificate.getMetadata().getName().equals(secret))
                .flatMap(certificate -> issuer(certificate).stream())
                .findFirst();
        return isRefused(AuthorityMarks.ofIssuer(cluster, wanted)) ? before : Optional.of(wanted);
    }

    /** Whether members of a cluster that runs may trust what others have put there. */
    boolean mayTake(Source source) {
        return !holdsBack() || newKeys(given.getOrDefault(source, Set.of())).isEmpty();
    }

    private boolean isRefused(String issuer) {
        return holdsBack() && !newByIssuer(issuer).isEmpty();
    }

    private boolean holdsBack() {
        return runs() && !policy.allowsSharing();
    }

    private Set<ClusterKey> newClusters() {
        return AuthorityMarks.issuers(cluster).stream()
                .map(this::newByIssuer)
                .reduce(newKeys(given()), SharedAuthority::union);
    }

    private static Set<ClusterKey> union(Set<ClusterKey> some, Set<ClusterKey> more) {
        return Stream.concat(some.stream(), more.stream()).collect(Collectors.toSet());
    }

    private List<String> refusedChanges() {
        Stream<String> issuers = AuthorityMarks.issuers(cluster).stream()
                .filter(this::isRefused)
                .map(mark -> "The issuer in spec.tls");
        Stream<String> secrets = given.keySet().stream()
                .filter(not(this::mayTake))
                .map(source -> "Secret " + source.secret());
        return Stream.concat(issuers, secrets).distinct().toList();
    }

    private boolean allowsName(String name) {
        return !isSharedByClients() || policy.allows(name) || hasName(name);
    }

    private List<String> refusedNames() {
        return spec.extraSANs().stream().filter(not(this::allowsName)).toList();
    }

    private String namesRefused() {
        return ("spec.tls.extraSANs has %s, which a certificate of a shared authority must not be good for: another cluster or"
                        + " service may have that name. Take an issuer of this cluster's own or spec.tls.client.managed; the"
                        + " operator's administrator can allow names with the chart value tls.sharedAuthorityNames")
                .formatted(String.join(", ", refusedNames()));
    }

    /** Only cert-manager is asked for names; what the operator signs is trusted by this cluster alone. */
    private boolean isSharedByClients() {
        return AuthorityMarks.ofClients(cluster)
                .filter(issuer -> AuthorityMarks.isClusterWide(issuer)
                        || !sharers.sharing(Set.of(AuthorityMarks.ofIssuer(cluster, issuer))).isEmpty()
                        || !sharers.sharing(AuthorityMarks.ofKeys(given())).isEmpty())
                .isPresent();
    }

    /** A certificate that runs keeps the names that it has. */
    private boolean hasName(String name) {
        return runs()
                && placed()
                        .filter(certificate ->
                                certificate.getMetadata().getName().equals(TlsSecrets.server(Labels.keyOf(cluster))))
                        .map(Certificate::getSpec)
                        .anyMatch(placed -> placed.dnsNames().contains(name)
                                || placed.ipAddresses().contains(name));
    }

    private boolean runs() {
        return !objects.peers().isEmpty();
    }

    /** By what only the operator writes. */
    private boolean isKnown() {
        return Sharers.hasBegun(cluster)
                || Optional.ofNullable(cluster.getStatus())
                        .map(EtcdClusterStatus::operation)
                        .isPresent();
    }

    /** A cluster that shares the authority already is no news, except that its issuer signs certificates of this one, too. */
    private Set<ClusterKey> newByIssuer(String issuer) {
        return without(acceptedByIssuer, sharers.blocking(Set.of(issuer)));
    }

    private Set<ClusterKey> newKeys(Set<String> trusted) {
        return without(acceptedByKey, without(acceptedByIssuer, sharers.blocking(AuthorityMarks.ofKeys(trusted))));
    }

    private static Set<ClusterKey> without(Set<ClusterKey> known, Set<ClusterKey> found) {
        return found.stream().filter(not(known::contains)).collect(Collectors.toSet());
    }

    private Stream<Certificate> placed() {
        return objects.support().stream().filter(Certificate.class::isInstance).map(Certificate.class::cast);
    }

    private static Optional<IssuerRef> issuer(Certificate certificate) {
        return Optional.ofNullable(certificate.getSpec().issuerRef())
                .map(issuer -> new IssuerRef(issuer.name(), issuer.kind(), issuer.group()));
    }
}
