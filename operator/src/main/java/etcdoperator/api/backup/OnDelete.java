package etcdoperator.api.backup;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What becomes of a stored backup when its object in Kubernetes is deleted. */
public enum OnDelete {
    @JsonProperty("Keep")
    KEEP,
    @JsonProperty("Delete")
    DELETE
}
