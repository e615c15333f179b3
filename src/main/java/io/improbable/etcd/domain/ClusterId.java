package io.improbable.etcd.domain;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** The id etcd derived for a cluster when it was bootstrapped; members of different ids never talk to each other. */
public record ClusterId(long value) {
    @JsonCreator
    public static ClusterId parse(String hex) {
        return new ClusterId(Long.parseUnsignedLong(hex, 16));
    }

    @Override
    @JsonValue
    public String toString() {
        return Long.toHexString(value);
    }
}
