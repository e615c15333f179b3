package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.generator.annotation.Required;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** The work under way; it is written before the first effect and so is the lock that outlives the operator. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record OperationStatus(
        @JsonPropertyDescription("What is being done.") @Required
        OperationType type,

        @JsonPropertyDescription("What it is being done to, such as a peer's name; absent for the whole cluster.")
        @Nullable
        String target,

        @JsonPropertyDescription("When it began.")
        @Required
        @SchemaFrom(type = String.class)
        @JsonFormat(shape = JsonFormat.Shape.STRING)
        Instant startedAt,

        @JsonPropertyDescription("Why it is being done.") @Nullable
        String reason) {

    /** Whole seconds, as Kubernetes writes times, so that a status read back equals the one written. */
    public OperationStatus {
        startedAt = startedAt.truncatedTo(ChronoUnit.SECONDS);
    }
}
