package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How far a peer has come, in one word. */
public enum PeerPhase {
    /** No container runs yet: the pod is missing, unscheduled, or waits for its volume or image. */
    @JsonProperty("Pending")
    PENDING,
    /** The container runs; the member has not yet been seen in good health. */
    @JsonProperty("Starting")
    STARTING,
    /** The member answers and is well. */
    @JsonProperty("Running")
    RUNNING,
    /** A member that was well no longer is. */
    @JsonProperty("Unhealthy")
    UNHEALTHY
}
