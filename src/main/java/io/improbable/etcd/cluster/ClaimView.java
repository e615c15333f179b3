package io.improbable.etcd.cluster;

import io.improbable.etcd.domain.ClusterId;
import io.improbable.etcd.domain.MemberId;
import io.improbable.etcd.domain.PeerName;
import java.util.Optional;

/** A PersistentVolumeClaim that carries the cluster's name. */
public record ClaimView(String name, PeerName peer, Contents contents, boolean retired, Optional<Problem> problem) {

    /** What is known of the data behind a claim. */
    public sealed interface Contents {
        /** Made for a bootstrap of {@code size} members under {@code token}; whether etcd has written to it is not known. */
        record Bootstrapping(String token, int size) implements Contents {}

        /** A member was seen to run on it. */
        record Held(ClusterId clusterId, MemberId memberId) implements Contents {}

        /** It was not made by this operator, so it may hold anything. */
        record Unknown() implements Contents {}
    }

    public boolean heldData() {
        return contents instanceof Contents.Held;
    }
}
