package etcdoperator.exploration;

import java.time.Instant;

/** The end of a fault that has one. */
record Ending(Instant at, Kind kind, String what) {
    enum Kind {
        NODE_IS_BACK,
        WATCHES_ARE_BACK,
        SERVER_THAWS,
        OPERATOR_STARTS
    }
}
