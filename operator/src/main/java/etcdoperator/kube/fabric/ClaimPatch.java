package etcdoperator.kube.fabric;

import etcdoperator.kube.Kube.ClaimMark;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What changes the metadata of a claim, as a merge patch. */
public final class ClaimPatch {
    private ClaimPatch() {}

    /** A merge patch takes away what is null in it. */
    public static Map<String, Object> of(PersistentVolumeClaim claim, ClaimMark mark) {
        Map<String, @Nullable String> labels = new HashMap<>(mark.labels());
        mark.without().forEach(label -> labels.put(label, null));
        Map<String, Object> metadata = new HashMap<>(Map.of(
                "uid",
                claim.getMetadata().getUid(),
                "resourceVersion",
                claim.getMetadata().getResourceVersion(),
                "labels",
                labels,
                "annotations",
                mark.annotations()));
        if (mark.ownerless()) {
            metadata.put("ownerReferences", List.of());
        }
        return metadata;
    }
}
