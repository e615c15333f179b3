package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** When a node asks the registry for an image. */
public enum PullPolicy {
    @JsonProperty("Always")
    ALWAYS("Always"),
    @JsonProperty("IfNotPresent")
    IF_NOT_PRESENT("IfNotPresent"),
    @JsonProperty("Never")
    NEVER("Never");

    private final String word;

    PullPolicy(String word) {
        this.word = word;
    }

    /** As Kubernetes writes it. */
    @Override
    public String toString() {
        return word;
    }
}
