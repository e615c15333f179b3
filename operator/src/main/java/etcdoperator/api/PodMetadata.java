package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import etcdoperator.api.rules.Immutable;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Annotations and labels that users add to the etcd pods. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record PodMetadata(
        @JsonPropertyDescription("Annotations of the pods. Keys that start with etcd.improbable.io/ are reserved.")
        @Size(max = 128)
        @ValidationRule(
                value = "self.all(k, !k.startsWith('etcd.improbable.io/'))",
                message = "podTemplate.metadata.annotations must not have keys that start with"
                        + " etcd.improbable.io/, which are the operator's: use another prefix")
        @ValidationRule(
                value = "self.all(k, k.matches('" + PodMetadata.KEY + "'))",
                message = "podTemplate.metadata.annotations has a key that Kubernetes does not take: write NAME or"
                        + " PREFIX/NAME with letters, digits, '-', '_' and '.', NAME at most 63 characters long")
        Map<String, String> annotations,

        @JsonPropertyDescription("Labels of the pods. Keys that start with etcd.improbable.io/ are reserved.")
        @Size(max = 128)
        @ValidationRule(
                value = "self.all(k, !k.startsWith('etcd.improbable.io/'))",
                message = "podTemplate.metadata.labels must not have keys that start with etcd.improbable.io/,"
                        + " which are the operator's: use another prefix")
        @ValidationRule(
                value = "self.all(k, k.matches('" + PodMetadata.KEY + "'))",
                message = "podTemplate.metadata.labels has a key that Kubernetes does not take: write NAME or"
                        + " PREFIX/NAME with letters, digits, '-', '_' and '.', NAME at most 63 characters long")
        @ValidationRule(
                value = "self.all(k, self[k].matches('" + PodMetadata.LABEL_VALUE + "'))",
                message = "podTemplate.metadata.labels has a value that Kubernetes does not take: use at most 63"
                        + " letters, digits, '-', '_' and '.', with a letter or digit at both ends")
        Map<String, String> labels) {

    static final String KEY = "^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$";
    static final String LABEL_VALUE = "^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$";

    public static final PodMetadata EMPTY = new PodMetadata(null, null);

    public PodMetadata(@Nullable Map<String, String> annotations, @Nullable Map<String, String> labels) {
        this.annotations = Immutable.map(annotations);
        this.labels = Immutable.map(labels);
    }
}
