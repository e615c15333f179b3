package etcdoperator.domain;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;

/** The id etcd derived for a cluster when it was bootstrapped; members of different ids never talk to each other. */
public record ClusterId(long value) {
    @JsonCreator
    public static ClusterId parse(String hex) {
        return new ClusterId(Long.parseUnsignedLong(hex, 16));
    }

    /** Empty for what somebody has spoilt. */
    public static Optional<ClusterId> tryParse(String hex) {
        try {
            return Optional.of(parse(hex));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    @Override
    @JsonValue
    public String toString() {
        return Long.toHexString(value);
    }
}
