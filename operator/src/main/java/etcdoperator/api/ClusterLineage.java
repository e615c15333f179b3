package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import etcdoperator.api.rules.Immutable;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which etcd clusters the data comes from: every restore makes a new etcd cluster, with a new id. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ClusterLineage(
        @JsonPropertyDescription("Ids of the etcd clusters that automatic recoveries replaced, the newest first. If no"
                + " backup has the present id, the next recovery uses one of the newest of these that has a backup. A"
                + " restore that a person asked for ends the list.")
        List<String> replacedClusterIds,

        @JsonPropertyDescription("When a restore last gave the cluster data that a person chose.")
        @SchemaFrom(type = String.class)
        @JsonFormat(shape = JsonFormat.Shape.STRING)
        @Nullable
        Instant restoredAt) {
    /** Of a cluster that has the data it began with. */
    public static final ClusterLineage NONE = new ClusterLineage(List.of(), null);

    private static final int LONGEST = 16;

    public ClusterLineage(@Nullable List<String> replacedClusterIds, @Nullable Instant restoredAt) {
        this.replacedClusterIds = Immutable.list(replacedClusterIds);
        this.restoredAt = restoredAt;
    }

    /** After an automatic recovery has given the cluster another id. */
    public ClusterLineage replacing(String clusterId) {
        return new ClusterLineage(
                Stream.concat(Stream.of(clusterId), replacedClusterIds.stream())
                        .distinct()
                        .limit(LONGEST)
                        .toList(),
                restoredAt);
    }

    /** After that was undone: the etcd cluster that was replaced last is the present one again. */
    public ClusterLineage withoutLast() {
        return new ClusterLineage(replacedClusterIds.subList(1, replacedClusterIds.size()), restoredAt);
    }
}
