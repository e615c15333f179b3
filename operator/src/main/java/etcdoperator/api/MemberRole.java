package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The part a member plays in its cluster. */
public enum MemberRole {
    @JsonProperty("Leader")
    LEADER,
    @JsonProperty("Voter")
    VOTER,
    @JsonProperty("Learner")
    LEARNER
}
