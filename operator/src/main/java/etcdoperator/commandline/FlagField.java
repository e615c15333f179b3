package etcdoperator.commandline;

import java.lang.reflect.Field;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** A flag, and where its value goes. */
record FlagField(Flag flag, Field field, Object owner) {
    private static final Map<Class<?>, Function<String, Object>> READERS = Map.of(
            String.class, text -> text,
            int.class, Integer::valueOf,
            long.class, Long::valueOf,
            Long.class, Long::valueOf,
            Boolean.class, FlagField::yesOrNo,
            Path.class, Path::of,
            URI.class, URI::create,
            List.class, text -> List.of(text.split(",")),
            Set.class, text -> new LinkedHashSet<>(List.of(text.split(","))));

    /** All of a role, those that it inherits and those of its groups, too. */
    static List<FlagField> of(Object owner) {
        List<FlagField> found = new ArrayList<>();
        for (Class<?> type = owner.getClass(); type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                Flag flag = field.getAnnotation(Flag.class);
                if (flag != null) {
                    field.setAccessible(true);
                    found.add(new FlagField(flag, field, owner));
                } else if (field.isAnnotationPresent(FlagGroup.class)) {
                    found.addAll(of(content(field, owner)));
                }
            }
        }
        return found;
    }

    private static Object content(Field field, Object owner) {
        try {
            field.setAccessible(true);
            return field.get(owner);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    void set(String text) throws WrongFlagException {
        try {
            field.set(owner, field.getType().isEnum() ? constant(text) : reader().apply(text));
        } catch (IllegalArgumentException e) {
            throw new WrongFlagException("%s cannot be '%s'%s".formatted(flag.name(), text, choice()));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private Function<String, Object> reader() {
        Function<String, Object> reader = READERS.get(field.getType());
        if (reader == null) {
            throw new IllegalStateException("nothing reads " + field);
        }
        return reader;
    }

    private Object constant(String text) {
        return Arrays.stream(field.getType().getEnumConstants())
                .filter(constant -> constant.toString().equals(text))
                .findFirst()
                .orElseThrow(IllegalArgumentException::new);
    }

    private String choice() {
        return field.getType().isEnum()
                ? ": it is one of " + Arrays.toString(field.getType().getEnumConstants())
                : "";
    }

    private static boolean yesOrNo(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(text);
        };
    }
}
