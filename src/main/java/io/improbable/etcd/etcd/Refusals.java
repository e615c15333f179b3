package io.improbable.etcd.etcd;

import io.grpc.StatusRuntimeException;
import io.improbable.etcd.etcd.EtcdException.Kind;
import java.util.List;

/** What to make of a call that failed. */
final class Refusals {
    static final String LEASE_NOT_FOUND = "requested lease not found";
    static final String COMPACTED = "required revision has been compacted";
    static final String WRONG_DOWNGRADE_TARGET = "invalid downgrade target version";
    static final String DOWNGRADE_IN_PROGRESS = "downgrade job in progress";
    static final String NO_DOWNGRADE = "no inflight downgrade job";

    /** What etcd of all lines says to a call that it will accept a little later. */
    private static final List<String> NOT_YET = List.of(
            "unhealthy cluster",
            "not enough started members",
            "in sync with leader",
            "too many learner members",
            "not leader",
            "leader changed",
            "leader transferee",
            "too many requests",
            "is a future revision",
            "cluster version not found");

    private Refusals() {}

    static EtcdException of(String what, StatusRuntimeException e) {
        return new EtcdException(kind(e), what + ": " + sentence(e), e);
    }

    static boolean says(EtcdException e, String words) {
        return e.why().contains(words);
    }

    /** By etcd's own words: its codes are the same for what passes by itself and for what never will. */
    private static Kind kind(StatusRuntimeException e) {
        String words = String.valueOf(e.getStatus().getDescription());
        if (NOT_YET.stream().anyMatch(words::contains)) {
            return Kind.NOT_YET;
        }
        return switch (e.getStatus().getCode()) {
            case INVALID_ARGUMENT,
                    FAILED_PRECONDITION,
                    NOT_FOUND,
                    ALREADY_EXISTS,
                    UNIMPLEMENTED,
                    PERMISSION_DENIED,
                    OUT_OF_RANGE,
                    RESOURCE_EXHAUSTED,
                    DATA_LOSS -> Kind.REFUSED;
            default -> Kind.NO_ANSWER;
        };
    }

    private static String sentence(StatusRuntimeException e) {
        return switch (e.getStatus().getCode()) {
            case DEADLINE_EXCEEDED -> "no answer in time";
            case UNAVAILABLE -> "no connection";
            default -> e.getStatus().getCode() + " " + e.getStatus().getDescription();
        };
    }
}
