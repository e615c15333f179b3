package etcdoperator.kube.fabric;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSpecBuilder;
import io.fabric8.kubernetes.api.model.NodeStatusBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeSpecBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps only what a pass reads: with thousands of pods, the rest would be most of the operator's memory. */
final class SlimItemStore<T extends HasMetadata> extends BasicItemStore<T> {
    SlimItemStore() {
        super(Cache::metaNamespaceKeyFunc);
    }

    @Override
    public @Nullable T put(String key, T object) {
        object.getMetadata().setManagedFields(List.of());
        if (object instanceof Pod pod) {
            pod.setSpec(new PodSpecBuilder()
                    .withNodeName(pod.getSpec().getNodeName())
                    .withVolumes(pod.getSpec().getVolumes().stream()
                            .filter(volume -> volume.getPersistentVolumeClaim() != null)
                            .toList())
                    .build());
        } else if (object instanceof Node node) {
            node.setSpec(new NodeSpecBuilder()
                    .withTaints(
                            node.getSpec() == null ? List.of() : node.getSpec().getTaints())
                    .build());
            node.setStatus(new NodeStatusBuilder()
                    .withConditions(node.getStatus().getConditions().stream()
                            .filter(condition -> "Ready".equals(condition.getType()))
                            .toList())
                    .withAddresses(node.getStatus().getAddresses())
                    .build());
        } else if (object instanceof PersistentVolume volume) {
            volume.setStatus(null);
            volume.setSpec(new PersistentVolumeSpecBuilder()
                    .withNodeAffinity(volume.getSpec().getNodeAffinity())
                    .build());
        } else if (object instanceof Event event) {
            event.setSource(null);
            event.setReportingComponent(null);
            event.setReportingInstance(null);
            event.setFirstTimestamp(null);
        }
        return super.put(key, object);
    }
}
