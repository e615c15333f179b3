package etcdoperator.api.rules;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns what Jackson hands to a record into a collection that is never null and never changes. */
public final class Immutable {
    private Immutable() {}

    public static <T> List<T> list(@Nullable List<T> given) {
        return given == null ? List.of() : List.copyOf(given);
    }

    /** Keeps the order of the manifest, so that what is rendered from it does not change from one start to the next. */
    public static <V> Map<String, V> map(@Nullable Map<String, V> given) {
        return given == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(given));
    }
}
