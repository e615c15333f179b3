package etcdoperator.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Looks at a certificate before etcd does, which would say less about it and then stop.
 *
 * @param parts the names by which people know the three texts
 * @param trust the certificates that the other side is checked by; this one has to be good for them, too
 * @param names names and addresses by which it is called
 */
public record Inspection(
        SecretKeys.Found parts, PemPair pair, String trust, Set<String> names, Set<Usage> usages, Instant at) {
    private static final Pattern WEAK = Pattern.compile("(MD2|MD5|SHA-?1)with", Pattern.CASE_INSENSITIVE);

    /** All that is wrong, the likeliest cause first; empty if it will do. Never throws, whatever the texts are. */
    public List<Flaw> flaws() {
        List<Flaw> flaws = new ArrayList<>();
        Optional<List<X509Certificate>> chain =
                read(parts.certificate(), pair.certificates(), Inspection::chain, flaws);
        Optional<PrivateKey> key = read(parts.key(), pair.key(), PrivateKeys::read, flaws);
        Optional<TrustBundle> trusted = read(parts.trust(), trust, TrustBundle::of, flaws);
        chain.ifPresent(certificates -> {
            X509Certificate certificate = certificates.getFirst();
            CertificateView view = CertificateView.of(certificate);
            key.filter(of -> !PrivateKeys.belongTogether(of, certificate.getPublicKey()))
                    .ifPresent(_ -> flaws.add(new Flaw.ForeignKey()));
            flaws.addAll(flawsInTime(view));
            flawInSignature(certificates).ifPresent(flaws::add);
            trusted.flatMap(bundle -> flawInTrust(bundle, certificates, view)).ifPresent(flaws::add);
            flaws.addAll(flawsInPurpose(view));
        });
        return List.copyOf(flaws);
    }

    /** What is wrong, in a sentence; empty if it will do. */
    public Optional<String> complaint() {
        List<String> words = flaws().stream().map(Flaw::words).toList();
        return words.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", words));
    }

    /** With each looked at: some damage is only found by then. */
    private static List<X509Certificate> chain(String pem) {
        List<X509Certificate> chain = Pem.certificates(pem);
        chain.forEach(CertificateView::of);
        return chain;
    }

    private static <T> Optional<T> read(String part, String text, Function<String, T> reader, List<Flaw> flaws) {
        try {
            return Optional.of(reader.apply(text));
        } catch (UnreadableException e) {
            flaws.add(new Flaw.Unreadable(part, String.valueOf(e.getMessage())));
            return Optional.empty();
        }
    }

    private List<Flaw> flawsInTime(CertificateView view) {
        if (at.isBefore(view.notBefore())) {
            return List.of(new Flaw.NotYetValid(view.notBefore()));
        }
        return at.isAfter(view.notAfter()) ? List.of(new Flaw.Ended(view.notAfter())) : List.of();
    }

    private static Optional<Flaw> flawInSignature(List<X509Certificate> chain) {
        return chain.stream()
                .map(X509Certificate::getSigAlgName)
                .filter(algorithm -> WEAK.matcher(algorithm).lookingAt())
                .findFirst()
                .map(Flaw.WeakSignature::new);
    }

    /** Judged at a time at which the certificate itself is good: whether it is now has been said. */
    private Optional<Flaw> flawInTrust(TrustBundle bundle, List<X509Certificate> chain, CertificateView view) {
        Instant then = view.isValidAt(at) ? at : at.isBefore(view.notBefore()) ? view.notBefore() : view.notAfter();
        if (bundle.issued(chain, then)) {
            return Optional.empty();
        }
        boolean wasEver = Stream.concat(
                        bundle.certificates().stream(), chain.stream().map(CertificateView::of))
                .flatMap(one -> Stream.of(one.notBefore(), one.notAfter()))
                .anyMatch(time -> bundle.issued(chain, time));
        return Optional.of(wasEver ? new Flaw.SignerOutOfTime(parts.trust()) : new Flaw.NotTrusted(parts.trust()));
    }

    private List<Flaw> flawsInPurpose(CertificateView view) {
        List<Flaw> flaws = new ArrayList<>();
        List<String> uncovered =
                names.stream().filter(name -> !view.isFor(name)).sorted().toList();
        if (!uncovered.isEmpty()) {
            flaws.add(new Flaw.NotValidFor(uncovered));
        }
        usages.stream()
                .sorted()
                .filter(usage -> !view.usages().contains(usage))
                .forEach(usage -> flaws.add(new Flaw.UsageForbidden(usage)));
        return flaws;
    }
}
