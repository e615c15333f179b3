package etcdoperator.cluster.tls;

import etcdoperator.cluster.view.Issuance.Turn;
import etcdoperator.cluster.view.Problem;
import etcdoperator.tls.CertificateView;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How one authority follows another: both are trusted before the second signs, and everything in use is signed by it
 * before the first is no longer trusted. Each change of trust is a roll, for etcd reads it only when it starts.
 *
 * @param wish what the user last wrote to ask for another one
 */
public record Rotation(
        AuthorityView authority, Optional<String> wish, Duration caLifetime, Duration leafLifetime, Instant now) {
    private static final Duration LONGEST_REST = Duration.ofMinutes(5);
    private static final int REST_SHARE = 10;

    /**
     * The next turn, if it is time for it.
     *
     * @param followed whether everybody trusts, holds and is asked for what the turn before has brought
     * @param shown whether every member was seen to show what the present authority has signed
     */
    public Optional<Turn> turn(boolean followed, boolean shown) {
        if (authority.next().isPresent() && !authority.nextKeyed()) {
            // It has signed nothing and never will: another may take its place at any time.
            return Optional.of(Turn.INTRODUCE);
        }
        if (authority.next().isPresent()) {
            return followed && hasRested() ? Optional.of(Turn.SUCCEED) : Optional.empty();
        }
        if (authority.previous().isPresent() && authority.keyed()) {
            return followed && hasRested() && shown ? Optional.of(Turn.RETIRE) : Optional.empty();
        }
        return followed && isWished() ? Optional.of(Turn.INTRODUCE) : Optional.empty();
    }

    /** Whether only what members show keeps the first authority from being forgotten. */
    public boolean wantsLook(boolean followed) {
        return authority.next().isEmpty()
                && authority.previous().isPresent()
                && authority.keyed()
                && followed
                && hasRested();
    }

    private boolean isWished() {
        boolean asked = wish.isPresent() && !wish.equals(authority.rotated());
        return asked || !authority.keyed() || !now.isBefore(renewal());
    }

    private Instant renewal() {
        return SecretView.renewal(authority.signs(), caLifetime);
    }

    /** For clients, who read their Secrets in their own time. */
    private boolean hasRested() {
        return !now.isBefore(rested());
    }

    private Instant rested() {
        Duration share = leafLifetime.dividedBy(REST_SHARE);
        return authority.since().plus(share.compareTo(LONGEST_REST) < 0 ? share : LONGEST_REST);
    }

    /** When time alone brings the next turn. */
    public Instant nextAt() {
        boolean underWay = authority.next().isPresent() || authority.previous().isPresent();
        return underWay ? rested() : renewal();
    }

    /** Why certificates cannot be made with it, any more or yet. @param secret where it is */
    public Optional<Problem> useless(String secret) {
        CertificateView signs = authority.signs();
        if (now.isBefore(signs.notBefore())) {
            return Optional.of(AuthorityProblems.early(secret, authority));
        }
        return now.isBefore(signs.notAfter())
                ? Optional.empty()
                : Optional.of(AuthorityProblems.ended(secret, authority));
    }
}
