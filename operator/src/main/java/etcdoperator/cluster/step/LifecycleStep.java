package etcdoperator.cluster.step;

import etcdoperator.api.OperationType;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import java.util.List;
import java.util.SortedMap;

/** Founds, resumes, hibernates and wakes a cluster, and records which member runs on which claim. */
public sealed interface LifecycleStep extends Step {
    /** Starts members together as founders of a new cluster; the only step that makes voters out of nothing. */
    record Bootstrap(String token, List<PeerName> peers, String reason) implements LifecycleStep {
        @Override
        public Progress progress() {
            return Progress.of(OperationType.BOOTSTRAP);
        }
    }

    /** Starts members on volumes they have run on before; an empty volume refuses to start. */
    record Resume(List<PeerOnClaim> peers, String reason) implements LifecycleStep {
        @Override
        public Progress progress() {
            return Progress.of(OperationType.RESUME);
        }
    }

    /** Writes down who runs on which volume, and takes away the right to found a cluster. */
    record Seal(ClusterId clusterId, List<Joined> joined, String reason) implements LifecycleStep, Progress.Brief {}

    /** Writes down which version runs on which claim. */
    record Inscribe(SortedMap<String, EtcdVersion> versions, String reason) implements LifecycleStep, Progress.Brief {}

    /** Takes up peers that a deletion with orphans left running; nothing restarts. */
    record Adopt(List<PeerName> peers, String reason) implements LifecycleStep {
        @Override
        public Progress progress() {
            return Progress.of(OperationType.ADOPT).brief();
        }
    }

    /** Stops every member; peers and claims stay. */
    record Sleep(List<PeerName> peers, String reason) implements LifecycleStep {
        @Override
        public Progress progress() {
            return Progress.of(OperationType.SLEEP);
        }
    }

    /** Starts members that were stopped, on the volumes they have. */
    record Wake(List<PeerName> peers, String reason) implements LifecycleStep {
        @Override
        public Progress progress() {
            return Progress.of(OperationType.RESUME);
        }
    }

    /**
     * Takes every peer away and leaves every claim, so that nobody is on them while a restore puts others in place.
     *
     * @param stopping whose pods end first: what is left of a peer that was deleted, Kubernetes ends in its own time
     * @param leaving who has no pod any more, or must not be stopped and started again
     */
    record LieDown(Task task, List<PeerName> stopping, List<PeerName> leaving, List<String> hurried, String reason)
            implements LifecycleStep, Progress.OfTask {}

    record PeerOnClaim(PeerName peer, String claimName, EtcdVersion version) {}

    record Joined(PeerName peer, String claimName, MemberId memberId) {}
}
