package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Where a cluster's etcd image comes from. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ImageSpec(
        @JsonPropertyDescription(
                "Repository of the etcd image, without a tag: the tag is the letter v and the version.")
        @Default(ImageSpec.DEFAULT_REPOSITORY)
        @Size(max = 255)
        @ValidationRule(
                value = "self.matches('" + ImageSpec.REPOSITORY + "')",
                message = "image.repository must be an image repository without a tag or digest, because the"
                        + " tag comes from spec.version: write quay.io/coreos/etcd, not"
                        + " quay.io/coreos/etcd:v3.6.16")
        String repository,

        @JsonPropertyDescription("When nodes pull the image.") @Default("IfNotPresent")
        PullPolicy pullPolicy) {

    public static final String DEFAULT_REPOSITORY = "quay.io/coreos/etcd";
    public static final ImageSpec DEFAULT = new ImageSpec(null, null);

    /** An optional registry host with an optional port, then the path. */
    static final String REPOSITORY = "^(([a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?|[[][0-9a-fA-F:]+[]])(:[0-9]+)?/)?"
            + "[a-z0-9]+([._-]+[a-z0-9]+)*(/[a-z0-9]+([._-]+[a-z0-9]+)*)*$";

    public ImageSpec(@Nullable String repository, @Nullable PullPolicy pullPolicy) {
        this.repository = repository == null ? DEFAULT_REPOSITORY : repository;
        this.pullPolicy = pullPolicy == null ? PullPolicy.IF_NOT_PRESENT : pullPolicy;
    }

    /** The image of an etcd version, given as {@code spec.version} has it. */
    public PeerImage at(String version) {
        return new PeerImage(repository + ":v" + version, pullPolicy);
    }
}
