package etcdoperator.cluster.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.domain.EtcdVersion;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A step in the words that {@code step.yaml} uses: its name, and all that it carries. What is empty is left out. */
public final class StepWords {
    private StepWords() {}

    public static JsonNode of(Record step) {
        Map<String, Object> words = new LinkedHashMap<>();
        words.put("step", step.getClass().getSimpleName());
        words.putAll(parts(step));
        return Serialization.jsonMapper().valueToTree(words);
    }

    public static Map<String, Object> parts(Record record) {
        Map<String, Object> words = new LinkedHashMap<>();
        for (RecordComponent part : record.getClass().getRecordComponents()) {
            worded(value(record, part)).ifPresent(word -> words.put(part.getName(), word));
        }
        return words;
    }

    private static Object value(Record record, RecordComponent part) {
        try {
            part.getAccessor().setAccessible(true);
            return part.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Optional<Object> worded(Object value) {
        return switch (value) {
            case null -> Optional.empty();
            case Optional<?> maybe -> maybe.flatMap(StepWords::worded);
            case Collection<?> many when many.isEmpty() -> Optional.empty();
            case Collection<?> many ->
                Optional.of(many.stream().flatMap(one -> worded(one).stream()).toList());
            case Record record
            when record.getClass().getPackage() != EtcdVersion.class.getPackage() ->
                Optional.of(parts(record)).filter(parts -> !parts.isEmpty()).map(Object.class::cast);
            case Enum<?> word -> Optional.of(Serialization.jsonMapper().convertValue(word, String.class));
            case Number number -> Optional.of(number);
            case Boolean flag -> flag ? Optional.of(true) : Optional.empty();
            default -> Optional.of(value.toString());
        };
    }
}
