package etcdoperator.exploration;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import sun.reflect.ReflectionFactory;

/**
 * Copies the state of one object onto another that was constructed in the same way. Parts that both have keep the
 * lambdas of their own construction, because a lambda cannot be copied; everything else is made anew, and every
 * reference to an original becomes one to its copy.
 */
final class Copier {
    private final Map<Object, Object> copies = new IdentityHashMap<>();
    private final Deque<Object> unfinished = new ArrayDeque<>();

    private Copier() {}

    static void copy(Object original, Object twin) {
        var copier = new Copier();
        copier.pair(original, twin);
        copier.finish();
    }

    private void pair(Object original, Object twin) {
        if (copies.put(original, twin) != null) {
            return;
        }
        unfinished.add(original);
        for (Field field : Layout.of(original.getClass()).fields()) {
            Object ours = get(field, original);
            Object theirs = get(field, twin);
            if (ours != null && theirs != null && ours.getClass() == theirs.getClass() && isPart(ours)) {
                if (!copies.containsKey(ours)) {
                    pair(ours, theirs);
                }
            }
        }
    }

    private void finish() {
        while (!unfinished.isEmpty()) {
            Object original = unfinished.poll();
            Object twin = copies.get(original);
            for (Field field : Layout.of(original.getClass()).fields()) {
                field(field, original, twin);
            }
        }
    }

    private void field(Field field, Object original, Object twin) {
        try {
            if (field.getType().isPrimitive()) {
                field.set(twin, field.get(original));
                return;
            }
            Object value = field.get(original);
            if (value == null || !isFunction(value)) {
                field.set(twin, copyOf(value));
            } else if (field.get(twin) == null) {
                throw new IllegalStateException("a lambda in " + field + " that only the original has");
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A lambda, or a record or a collection of some. */
    private static boolean isFunction(Object value) {
        Layout layout = Layout.of(value.getClass());
        return switch (layout.kind()) {
            case FUNCTION -> true;
            case RECORD ->
                layout.fields().stream()
                        .map(field -> get(field, value))
                        .anyMatch(part -> part != null && isFunction(part));
            // What is in one collection is of one kind.
            case COLLECTION -> isFunctionOf(((Collection<?>) value).iterator());
            case MAP -> isFunctionOf(((Map<?, ?>) value).values().iterator());
            case VALUE, OPTIONAL, PART -> false;
        };
    }

    private static boolean isFunctionOf(Iterator<?> values) {
        return values.hasNext()
                && Optional.ofNullable(values.next()).filter(Copier::isFunction).isPresent();
    }

    private @Nullable Object copyOf(@Nullable Object value) {
        if (value == null) {
            return null;
        }
        Layout layout = Layout.of(value.getClass());
        return switch (layout.kind()) {
            case VALUE -> value;
            case FUNCTION -> throw new IllegalStateException("a lambda in the state: " + value.getClass());
            case OPTIONAL -> optional((Optional<?>) value);
            case RECORD -> record(value, layout);
            case COLLECTION -> collection((Collection<?>) value);
            case MAP -> map((Map<?, ?>) value);
            case PART -> part(value);
        };
    }

    private Object part(Object original) {
        Object known = copies.get(original);
        if (known != null) {
            return known;
        }
        Object made = allocate(original.getClass());
        copies.put(original, made);
        unfinished.add(original);
        return made;
    }

    private Object optional(Optional<?> value) {
        if (value.isEmpty()) {
            return value;
        }
        Object inside = copyOf(value.get());
        return inside == value.get() ? value : Optional.ofNullable(inside);
    }

    /** The same one where nothing in it was copied. */
    private Object record(Object value, Layout layout) {
        List<Field> fields = layout.fields();
        Object[] components = new Object[fields.size()];
        boolean same = true;
        for (int i = 0; i < components.length; i++) {
            Object before = get(fields.get(i), value);
            components[i] = copyOf(before);
            same &= fields.get(i).getType().isPrimitive() || components[i] == before;
        }
        if (same) {
            return value;
        }
        try {
            return layout.canonicalConstructor().newInstance(components);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private Collection<?> collection(Collection<?> values) {
        List<Object> copied = new ArrayList<>(values.size());
        boolean same = true;
        for (Object value : values) {
            Object copy = copyOf(value);
            same &= copy == value;
            copied.add(copy);
        }
        return switch (values) {
            case ArrayList<?> list -> copied;
            case ArrayDeque<?> deque -> new ArrayDeque<>(copied);
            case LinkedHashSet<?> set -> new LinkedHashSet<>(copied);
            case HashSet<?> set -> fill(new HashSet<>(), copied);
            case TreeSet<?> set -> fill(emptyLike(set), copied);
            default -> unmodifiable(values, copied, same);
        };
    }

    private static Collection<?> unmodifiable(Collection<?> values, List<Object> copied, boolean same) {
        if (same) {
            return values;
        }
        if (values instanceof List<?>) {
            return List.copyOf(copied);
        }
        throw new IllegalStateException("what kind of collection is " + values.getClass());
    }

    @SuppressWarnings("unchecked")
    private static TreeSet<Object> emptyLike(TreeSet<?> set) {
        return new TreeSet<>(((TreeSet<Object>) set).comparator());
    }

    /** By adding one after the other, as the original came to be, so that it has the same order. */
    private static Collection<?> fill(Collection<Object> empty, List<Object> values) {
        empty.addAll(values);
        return empty;
    }

    private Map<?, ?> map(Map<?, ?> values) {
        Map<Object, Object> copy = switch (values) {
            case LinkedHashMap<?, ?> map -> new LinkedHashMap<>();
            case HashMap<?, ?> map -> new HashMap<>();
            case TreeMap<?, ?> map -> emptyLike(map);
            case ConcurrentHashMap<?, ?> map -> new ConcurrentHashMap<>();
            default -> new HashMap<>();
        };
        boolean[] same = {true};
        values.forEach((key, value) -> {
            Object newKey = copyOf(key);
            Object newValue = copyOf(value);
            same[0] &= newKey == key && newValue == value;
            copy.put(newKey, newValue);
        });
        boolean modifiable = values instanceof HashMap<?, ?>
                || values instanceof TreeMap<?, ?>
                || values instanceof ConcurrentHashMap<?, ?>;
        return modifiable ? copy : same[0] ? values : Map.copyOf(copy);
    }

    @SuppressWarnings("unchecked")
    private static Map<Object, Object> emptyLike(TreeMap<?, ?> map) {
        return new TreeMap<>(((TreeMap<Object, Object>) map).comparator());
    }

    private static boolean isPart(Object value) {
        return Layout.of(value.getClass()).kind() == Layout.Kind.PART;
    }

    private static @Nullable Object get(Field field, Object object) {
        try {
            return field.get(object);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final ClassValue<Constructor<?>> ALLOCATORS = new ClassValue<>() {
        @Override
        protected Constructor<?> computeValue(Class<?> type) {
            try {
                return ReflectionFactory.getReflectionFactory()
                        .newConstructorForSerialization(type, Object.class.getDeclaredConstructor());
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException(e);
            }
        }
    };

    private static Object allocate(Class<?> type) {
        try {
            return ALLOCATORS.get(type).newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
