package etcdoperator.domain;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** The id etcd gave a member; written in hexadecimal, as etcdctl prints it. */
public record MemberId(long value) {
    @JsonCreator
    public static MemberId parse(String hex) {
        return new MemberId(Long.parseUnsignedLong(hex, 16));
    }

    @Override
    @JsonValue
    public String toString() {
        return Long.toHexString(value);
    }
}
