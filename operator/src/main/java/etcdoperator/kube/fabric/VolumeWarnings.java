package etcdoperator.kube.fabric;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** What Kubernetes complains of where a claim gets no volume, or a pod not the volume of its claim. */
final class VolumeWarnings {
    private static final String CLAIM = "PersistentVolumeClaim";
    private static final String POD = "Pod";

    private final List<Watched<Event>> events;

    /** @param ofClaim told of what was said of a claim @param ofPod the same for a pod */
    VolumeWarnings(KubernetesClient client, Set<String> namespaces, Consumer<Event> ofClaim, Consumer<Event> ofPod) {
        // Other warnings about pods are many, and none of our business.
        this.events = List.of(
                watched(client, namespaces, Map.of("involvedObject.kind", CLAIM, "type", "Warning"), ofClaim),
                watched(client, namespaces, Map.of("involvedObject.kind", POD, "reason", "FailedMount"), ofPod),
                watched(client, namespaces, Map.of("involvedObject.kind", POD, "reason", "FailedAttachVolume"), ofPod));
    }

    private static Watched<Event> watched(
            KubernetesClient client, Set<String> namespaces, Map<String, String> fields, Consumer<Event> told) {
        return new Watched<>(client, Event.class, namespaces, Watched.fields(fields), told);
    }

    List<Event> in(String namespace) {
        return events.stream()
                .flatMap(watched -> watched.inNamespace(namespace).stream())
                .toList();
    }

    Stream<Watched<Event>> all() {
        return events.stream();
    }
}
