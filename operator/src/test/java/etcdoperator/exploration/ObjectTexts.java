package etcdoperator.exploration;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The text of each object of the API server. A stored object never changes, so it is read once. */
final class ObjectTexts {
    /** They differ from run to run, and the operator decides nothing by them that it does not decide by the rest. */
    private static final Set<String> LEFT_OUT = Set.of(
            "resourceVersion",
            "generation",
            "observedGeneration",
            "lastTransitionTime",
            "creationTimestamp",
            "dbSizeBytes",
            "managedFields");

    private static final Map<Reference, Text> TEXTS = new ConcurrentHashMap<>();
    private static final ReferenceQueue<HasMetadata> UNUSED = new ReferenceQueue<>();

    private ObjectTexts() {}

    /** The object itself, and not one that is equal: comparing takes longer than reading. */
    private static final class Reference extends WeakReference<HasMetadata> {
        private final int hash;

        Reference(HasMetadata object) {
            super(object, UNUSED);
            this.hash = System.identityHashCode(object);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            return this == other || (other instanceof Reference that && get() != null && get() == that.get());
        }
    }

    static Text of(HasMetadata object) {
        for (var unused = UNUSED.poll(); unused != null; unused = UNUSED.poll()) {
            TEXTS.remove(unused);
        }
        return TEXTS.computeIfAbsent(new Reference(object), reference -> read(object));
    }

    private static Text read(HasMetadata object) {
        var text = new Text();
        if (object instanceof Secret secret) {
            add(text, Serialization.jsonMapper().valueToTree(secret.getMetadata()));
            SecretTexts.add(text, secret);
        } else {
            add(text, Serialization.jsonMapper().valueToTree(object));
        }
        return text;
    }

    private static void add(Text text, JsonNode node) {
        if (node.isObject()) {
            text.add("{");
            node.properties().forEach(field -> {
                if (!LEFT_OUT.contains(field.getKey())) {
                    text.add(field.getKey() + ":");
                    add(text, field.getValue());
                }
            });
            text.add("}");
        } else if (node.isArray()) {
            text.add("[");
            node.forEach(element -> add(text, element));
            text.add("]");
        } else {
            text.add(node.asText() + ";");
        }
    }
}
