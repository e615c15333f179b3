package etcdoperator.cluster.view;

import etcdoperator.api.TlsSpec.IssuerRef;
import etcdoperator.tls.LeafRequest;

/** A certificate to be made, or a step of an authority's life. */
public sealed interface Issuance {
    /** The Secret it goes into. */
    String secret();

    /** What becomes of the authority. */
    enum Turn {
        /** There is none yet. */
        BEGIN,
        /** Its Secret is gone, with its key, while members still trust it: another one is introduced beside it. */
        RESCUE,
        /** It was begun too late: members were set up with one before, and this one is introduced beside that. */
        YIELD,
        /** Another one is made, and trusted beside the one that signs. */
        INTRODUCE,
        /** The other one signs from now on; the first is still trusted. */
        SUCCEED,
        /** Nothing is left that the first one has signed: it is not trusted any more. */
        RETIRE
    }

    /** What the operator makes itself. */
    sealed interface Made extends Issuance {}

    record Authority(String secret, Turn turn) implements Made {}

    record Leaf(String secret, LeafRequest request) implements Made {}

    /** What is taken over of certificates that others have made. */
    enum Part {
        ALL,
        /** Whom to trust is trusted beside those of before. */
        TRUST,
        /** Certificate and key, which all who run trust by now. */
        LEAF
    }

    record Copy(String secret, Source source, Part part) implements Made {}

    /** To be made by cert-manager. */
    record Order(String secret, LeafRequest request, IssuerRef issuer) implements Issuance {}
}
