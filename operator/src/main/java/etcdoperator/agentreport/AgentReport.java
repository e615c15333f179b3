package etcdoperator.agentreport;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an agent says of its work: while it runs, as its last words, and beside the object it stored.
 *
 * @param message a sentence for users
 * @param path of the object in its store
 * @param revision the last one that the snapshot holds
 * @param sizeBytes of the snapshot as etcd gave it
 * @param storedBytes of the object, compressed and encrypted
 * @param sha256 of the object
 * @param time when the backup was begun, or a member's log last written to
 * @param clusterId of the etcd cluster it was taken from
 * @param source the member that was asked, the file that was read, or the claim that was salvaged
 * @param term of the last entry in the log of that claim
 * @param index of the same
 * @param voters ids of the members that vote by that log
 * @param contents what the keys of the snapshot amount to; absent where nobody could be asked
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record AgentReport(
        State state,
        @Nullable String message,
        @Nullable String objectURL,
        @Nullable String path,
        @Nullable Long revision,
        @Nullable Long sizeBytes,
        @Nullable Long storedBytes,
        @Nullable Long transferredBytes,
        @Nullable String sha256,
        @Nullable String etcdVersion,

        @JsonFormat(shape = JsonFormat.Shape.STRING) @Nullable
        Instant time,

        @Nullable String compression,
        @Nullable Boolean encrypted,
        @Nullable String clusterId,
        @Nullable String source,
        @Nullable Long term,
        @Nullable Long index,
        @Nullable List<String> voters,
        @Nullable Contents contents) {
    /** By how far the logs go that they tell of, as etcd's elections have it: by term, then by index. */
    public static final Comparator<AgentReport> BY_LOG = Comparator.comparingLong(
                    (AgentReport report) -> report.term() == null ? 0 : report.term())
            .thenComparingLong(report -> report.index() == null ? 0 : report.index());

    /** With what was said before by others who worked on the same, where this says nothing of it. */
    public AgentReport after(AgentReport earlier) {
        return new AgentReport(
                state,
                message,
                objectURL == null ? earlier.objectURL : objectURL,
                path == null ? earlier.path : path,
                revision == null ? earlier.revision : revision,
                sizeBytes == null ? earlier.sizeBytes : sizeBytes,
                storedBytes == null ? earlier.storedBytes : storedBytes,
                transferredBytes == null ? earlier.transferredBytes : transferredBytes,
                sha256 == null ? earlier.sha256 : sha256,
                etcdVersion == null ? earlier.etcdVersion : etcdVersion,
                time == null ? earlier.time : time,
                compression == null ? earlier.compression : compression,
                encrypted == null ? earlier.encrypted : encrypted,
                clusterId == null ? earlier.clusterId : clusterId,
                source == null ? earlier.source : source,
                term == null ? earlier.term : term,
                index == null ? earlier.index : index,
                voters == null ? earlier.voters : voters,
                contents == null ? earlier.contents : contents);
    }

    /**
     * What a member says of all keys at the revision of a snapshot.
     *
     * @param hashKV unsigned, of 32 bits
     * @param compactRevision before which nothing was hashed: hashes of different ones cannot be compared
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Contents(long hashKV, long compactRevision, long keys) {}

    /** How far it has come. */
    public enum State {
        @JsonProperty("Running")
        RUNNING,
        @JsonProperty("Completed")
        COMPLETED,
        @JsonProperty("Failed")
        FAILED
    }
}
