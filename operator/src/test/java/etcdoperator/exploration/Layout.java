package etcdoperator.exploration;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What the objects of one class consist of, as far as a copy has to know. */
final class Layout {
    enum Kind {
        /** Never changed once it is made: shared by all copies. */
        VALUE,
        RECORD,
        OPTIONAL,
        COLLECTION,
        MAP,
        /** A lambda. Its captured variables cannot be replaced. */
        FUNCTION,
        /** Has fields that change. */
        PART
    }

    private static final ClassValue<Layout> LAYOUTS = new ClassValue<>() {
        @Override
        protected Layout computeValue(Class<?> type) {
            return new Layout(type);
        }
    };

    private final Class<?> type;
    private final Kind kind;
    private final List<Field> fields;

    private Layout(Class<?> type) {
        this.type = type;
        this.kind = kindOf(type);
        this.fields = kind == Kind.VALUE ? List.of() : instanceFields(type);
    }

    static Layout of(Class<?> type) {
        return LAYOUTS.get(type);
    }

    Kind kind() {
        return kind;
    }

    /** Those of its superclasses among them. */
    List<Field> fields() {
        return fields;
    }

    Constructor<?> canonicalConstructor() throws NoSuchMethodException {
        Constructor<?> constructor = type.getDeclaredConstructor(Stream.of(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new));
        constructor.setAccessible(true);
        return constructor;
    }

    private static Kind kindOf(Class<?> type) {
        String name = type.getName();
        if (type.isHidden()) {
            return Kind.FUNCTION;
        }
        if (Collection.class.isAssignableFrom(type)) {
            return Kind.COLLECTION;
        }
        if (Map.class.isAssignableFrom(type)) {
            return Kind.MAP;
        }
        if (type == Optional.class) {
            return Kind.OPTIONAL;
        }
        boolean ours = name.startsWith("etcdoperator.");
        boolean stored = name.startsWith("etcdoperator.api.") || name.startsWith("etcdoperator.domain.");
        if (!ours || stored || Enum.class.isAssignableFrom(type)) {
            return Kind.VALUE;
        }
        return type.isRecord() ? Kind.RECORD : Kind.PART;
    }

    private static List<Field> instanceFields(Class<?> type) {
        List<Field> found = new ArrayList<>();
        if (type.isHidden() || type.getName().startsWith("java.")) {
            return found;
        }
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    found.add(field);
                }
            }
        }
        return found;
    }
}
