package etcdoperator.cluster.view;

import etcdoperator.api.TlsSetup;
import etcdoperator.api.TlsSetup.PeerSide;
import etcdoperator.api.TlsSetup.PeerStage;
import etcdoperator.domain.Scheme;
import etcdoperator.manifest.Transports;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a pass knows of certificates. Keys are no part of it.
 *
 * @param target how members are to speak next with clients and with each other
 * @param known how some member speaks with others by TLS, or could
 * @param due what the operator is to issue now
 * @param problem what is wrong with certificates, or missing
 * @param look whether to see what members show, before the last authority is forgotten
 * @param ending which certificate is the first to end
 * @param nextAt when time alone brings the next change
 * @param trusted the keys of the authorities that members trust
 * @param remark what is reported of these and stops nothing
 */
public record TlsView(
        TlsSetup target,
        Optional<PeerSide> known,
        List<Issuance> due,
        Optional<Problem> problem,
        boolean look,
        Optional<Ending> ending,
        Optional<Instant> nextAt,
        List<String> trusted,
        Optional<Remark> remark) {
    public static final TlsView PLAIN = new TlsView(
            TlsSetup.NONE,
            Optional.empty(),
            List.of(),
            Optional.empty(),
            false,
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Optional.empty());

    /** @param reason one word @param message a sentence */
    public record Remark(String reason, String message) {}

    /** @param renewed whether the operator or cert-manager sees to it */
    public record Ending(String secret, Instant at, boolean renewed) {}

    /** The target, as far as a member can follow that the others reach by this scheme. */
    public TlsSetup forMember(Scheme scheme) {
        Optional<PeerSide> side =
                Optional.ofNullable(target.peer()).or(() -> scheme == Scheme.HTTPS ? known : Optional.empty());
        PeerStage stage = scheme == Scheme.HTTPS ? PeerStage.REQUIRED : PeerStage.PREPARED;
        return new TlsSetup(
                target.client(),
                side.map(peer -> new PeerSide(stage, peer.files(), peer.commonName(), peer.hostName()))
                        .orElse(null));
    }

    /** How a member that is added now is reached. */
    public Scheme scheme() {
        return Transports.between(target);
    }

    public TlsView withDue(List<Issuance> issuances) {
        return new TlsView(target, known, issuances, problem, look, ending, nextAt, trusted, remark);
    }

    public TlsView withMoreDue(List<Issuance> more) {
        return withDue(Stream.concat(due.stream(), more.stream()).toList());
    }

    public TlsView withProblem(Problem found) {
        return new TlsView(target, known, due, problem.or(() -> Optional.of(found)), look, ending, nextAt, trusted, remark);
    }

    public TlsView withLook(boolean wanted) {
        return new TlsView(target, known, due, problem, wanted, ending, nextAt, trusted, remark);
    }

    public TlsView withNextAt(Optional<Instant> next) {
        return new TlsView(target, known, due, problem, look, ending, next, trusted, remark);
    }

    /** Nothing is issued. */
    public TlsView refused(Problem why) {
        return new TlsView(target, known, List.of(), Optional.of(why), false, ending, nextAt, trusted, remark);
    }
}
