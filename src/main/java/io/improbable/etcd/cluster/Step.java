package io.improbable.etcd.cluster;

import io.improbable.etcd.domain.ClusterId;
import io.improbable.etcd.domain.MemberId;
import io.improbable.etcd.domain.PeerName;
import java.util.List;

/** What a pass does next. The reason is the sentence that log, Event and condition all say. */
public sealed interface Step {
    String reason();

    /** Starts members together as founders of a new cluster; the only step that makes voters out of nothing. */
    record Bootstrap(String token, List<PeerName> peers, String reason) implements Step {}

    /** Starts members on volumes they have run on before; an empty volume refuses to start. */
    record Resume(List<PeerOnClaim> peers, String reason) implements Step {}

    /** Writes down who runs on which volume, and takes away the right to found a cluster. */
    record Seal(ClusterId clusterId, List<Joined> joined, String reason) implements Step {}

    /** Takes up peers that a deletion with orphans left running; nothing restarts. */
    record Adopt(List<PeerName> peers, String reason) implements Step {}

    /** Brings services, budgets and peers' specs back to what they should be. */
    record Tend(List<String> names, String reason) implements Step {}

    /** Ends the operation that status records: its goal is reached. */
    record Finish(Operation operation, String reason) implements Step {}

    /** Something is on its way, and its coming starts the next pass. */
    record Wait(String reason) implements Step {}

    /** Nothing safe is left to do until a person has acted. */
    record Stuck(Problem problem) implements Step {
        @Override
        public String reason() {
            return problem.message();
        }
    }

    record Steady(String reason) implements Step {}

    record PeerOnClaim(PeerName peer, String claimName) {}

    record Joined(PeerName peer, String claimName, MemberId memberId) {}
}
