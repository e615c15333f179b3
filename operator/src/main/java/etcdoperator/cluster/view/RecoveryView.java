package etcdoperator.cluster.view;

import etcdoperator.domain.ClusterId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An EtcdRestore that the operator made to bring this cluster back.
 *
 * @param createdAt when it began
 * @param lost the etcd cluster that had lost its majority
 * @param asks whether it waits to hear that the loss lasts
 * @param confirmedAt when it was last told so
 * @param swapped whether it has begun to put old claims aside, after which only the way forward leads to order
 * @param withoutData claims on which nothing was found when it began, nor since
 * @param foundEmpty claims that were empty when it began
 * @param foundReadable claims that etcd calls corrupt, and an agent could read
 * @param learners claims of learners that count as having no vote, as long as no log says otherwise
 * @param votersFound ids of members that vote by a log, and were not known to
 * @param disks claims that it reads
 * @param source where the data comes from, in words
 * @param revision up to which it goes
 * @param writtenAt when it was last written to, or when the backup was taken
 * @param completedAt when the cluster had it
 * @param says what its condition tells
 */
public record RecoveryView(
        String name,
        Instant createdAt,
        ClusterId lost,
        State state,
        boolean asks,
        Optional<Instant> confirmedAt,
        boolean swapped,
        boolean deleting,
        List<String> withoutData,
        List<String> foundEmpty,
        List<String> foundReadable,
        List<String> learners,
        List<String> votersFound,
        List<String> disks,
        String source,
        Optional<Long> revision,
        Optional<Instant> writtenAt,
        Optional<Instant> completedAt,
        String says) {
    /** How far it has come. */
    public enum State {
        UNDER_WAY,
        COMPLETED,
        FAILED
    }
}
