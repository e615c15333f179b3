package etcdoperator.kube;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * Whether an object is still what the operator asked for. Fields that others set or the API server filled in do not
 * count; a field of ours that was changed does, and so does one that we no longer ask for.
 */
public final class Drift {
    private static final KubernetesSerialization KUBERNETES = new KubernetesSerialization();

    private static final ObjectMapper SORTED =
            new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);

    private Drift() {}

    /** The object with a hash of itself, which is how a dropped field is noticed later. */
    public static <T extends HasMetadata> T stamped(T desired) {
        var annotations = new TreeMap<>(desired.getMetadata().getAnnotations());
        annotations.put(Labels.DESIRED_HASH, hash(desired));
        desired.getMetadata().setAnnotations(annotations);
        return desired;
    }

    public static boolean between(HasMetadata stamped, HasMetadata actual) {
        return !contains(tree(actual), tree(stamped));
    }

    private static boolean contains(JsonNode actual, JsonNode desired) {
        if (desired.isObject()) {
            return desired.properties().stream()
                    .allMatch(field -> Optional.ofNullable(actual.get(field.getKey()))
                            .map(value -> contains(value, field.getValue()))
                            .orElse(isNothing(field.getValue())));
        }
        if (desired.isArray()) {
            if (!actual.isArray() || actual.size() != desired.size()) {
                return false;
            }
            for (int i = 0; i < desired.size(); i++) {
                if (!contains(actual.get(i), desired.get(i))) {
                    return false;
                }
            }
            return true;
        }
        return actual.equals(desired) || sameQuantity(actual, desired);
    }

    /** The API server leaves such values out. */
    private static boolean isNothing(JsonNode node) {
        return node.isNull()
                || (node.isContainerNode() && node.isEmpty())
                || (node.isTextual() && node.textValue().isEmpty());
    }

    /** The API server writes 1000m as 1. */
    private static boolean sameQuantity(JsonNode actual, JsonNode desired) {
        try {
            return amount(actual).compareTo(amount(desired)) == 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static BigDecimal amount(JsonNode node) {
        return Quantity.getAmountInBytes(Quantity.parse(node.asText()));
    }

    /** In a fixed order: maps of the JDK list their entries differently in each process. */
    private static String hash(HasMetadata object) {
        var checksum = new CRC32C();
        try {
            checksum.update(SORTED.writeValueAsBytes(KUBERNETES.convertValue(object, Map.class)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an object that was read as JSON cannot be written as JSON", e);
        }
        return Long.toHexString(checksum.getValue());
    }

    private static JsonNode tree(HasMetadata object) {
        return KUBERNETES.convertValue(object, JsonNode.class);
    }
}
