package etcdoperator.cluster.view;

import etcdoperator.domain.ClusterId;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Promotion;
import etcdoperator.domain.Scheme;
import java.time.Instant;
import java.util.Optional;

/**
 * A PersistentVolumeClaim that carries the cluster's name.
 *
 * @param createdAt no member on it is older
 * @param small whether a larger volume is wanted by now
 * @param version what was last seen to run on it
 * @param scheme how etcd lists its member
 * @param restored whether a restore has put a cluster of one member on it
 * @param prunable whether Argo CD may take it for a part of an Application, and delete it
 * @param awaitedSince since when a pod has waited for its volume in vain
 * @param promotion what is recorded of the vote of its member; empty where nothing is
 * @param expected the id that its member got when it was added; only of one that joins
 * @param volume the PersistentVolume that it is bound to
 * @param readableAt when an agent could read what etcd on it calls corrupt
 * @param retiredFrom the member that leaves or has left; only such a claim is ever deleted
 */
public record ClaimView(
        String name,
        PeerName peer,
        Contents contents,
        Instant createdAt,
        Optional<EtcdVersion> version,
        Scheme scheme,
        boolean restored,
        Optional<Promotion> promotion,
        Optional<MemberId> expected,
        Optional<String> volume,
        Optional<Instant> readableAt,
        Optional<MemberId> retiredFrom,
        boolean deleting,
        boolean small,
        boolean prunable,
        Optional<Problem> problem,
        Optional<Instant> awaitedSince) {

    /** What is known of the data behind a claim. */
    public sealed interface Contents {
        /** Made for a bootstrap of {@code size} members under {@code token}; whether etcd has written to it is not known. */
        record Bootstrapping(String token, int size) implements Contents {}

        /** A member was seen to run on it. */
        record Held(ClusterId clusterId, MemberId memberId) implements Contents {}

        /** Made for a member that joins a running cluster, which was not seen on it yet. */
        record Joining() implements Contents {}

        /** It was not made by this operator, so it may hold anything. */
        record Unknown() implements Contents {}
    }

    /** Whether its member answers as another one: what is on its volume is not what the claim says. */
    public boolean holdsOtherData() {
        return problem.filter(found -> found.kind() == Problem.Kind.IdentityMismatch)
                .isPresent();
    }

    public boolean retired() {
        return retiredFrom.isPresent();
    }

    public Optional<Contents.Held> held() {
        return contents instanceof Contents.Held held ? Optional.of(held) : Optional.empty();
    }

    /** Whether its member was added as a learner, and the operator has not asked for its promotion since. */
    public boolean learns() {
        return promotion.equals(Optional.of(Promotion.NOT_REQUESTED));
    }

    public boolean heldData() {
        return contents instanceof Contents.Held;
    }
}
