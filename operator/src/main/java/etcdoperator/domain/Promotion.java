package etcdoperator.domain;

import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the claim of a member that was added as a learner records of its promotion to a voter. */
public enum Promotion {
    /** Written before the member is added. While it stands, the operator has not asked etcd for the promotion. */
    NOT_REQUESTED("none"),

    /** Written before the operator asks etcd for the promotion, whatever comes of it. */
    REQUESTED("requested"),

    /** Somebody else requested the promotion: it is in the log of a member. */
    FOUND("found");

    private final String word;

    Promotion(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    /** @param word as {@link #word}; empty where nothing is recorded, or nonsense */
    public static Optional<Promotion> named(@Nullable String word) {
        return Stream.of(values())
                .filter(promotion -> promotion.word.equals(word))
                .findFirst();
    }
}
