package etcdoperator.exploration;

import etcdoperator.exploration.Text.Name;
import etcdoperator.exploration.Text.Time;
import etcdoperator.exploration.Text.Word;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A hash of a state in which names count by the order in which they first occur, and times by how long ago they are. */
final class Digest {
    private final Map<String, Integer> names = new HashMap<>();
    private final long now;
    private long hash = 0x9e3779b97f4a7c15L;

    Digest(Instant now) {
        this.now = now.toEpochMilli();
    }

    long value() {
        return hash;
    }

    Digest add(long value) {
        hash = mix(hash ^ value) + 0x9e3779b97f4a7c15L;
        return this;
    }

    Digest add(boolean value) {
        return add(value ? 1 : 2);
    }

    Digest add(Enum<?> value) {
        return add(value.name());
    }

    Digest add(String text) {
        return add(Text.of(text));
    }

    Digest add(HasMetadata object) {
        return add(ObjectTexts.of(object));
    }

    Digest add(Collection<? extends HasMetadata> objects) {
        add(objects.size());
        objects.forEach(this::add);
        return this;
    }

    Digest add(Instant time) {
        return add(age(time.toEpochMilli()));
    }

    Digest addName(Object name) {
        return add(number(name.toString()));
    }

    Digest addNames(Collection<?> all) {
        return add(all.stream().mapToLong(name -> mix(number(name.toString()))).sum());
    }

    Digest add(Optional<String> text) {
        text.ifPresentOrElse(this::add, () -> add(0));
        return this;
    }

    /** As they first occurred. */
    Comparator<String> byNumber() {
        return Comparator.comparing(this::number);
    }

    private Digest add(Text text) {
        for (Text.Part part : text.parts()) {
            switch (part) {
                case Word(long word) -> add(word);
                case Name(String name) -> add(number(name));
                case Time(long millis) -> add(age(millis));
            }
        }
        return this;
    }

    private int number(String name) {
        return names.computeIfAbsent(name, any -> names.size() + 1);
    }

    /** Exact only as long as something may depend on it. */
    private long age(long millis) {
        long seconds = (now - millis) / 1000;
        if (seconds < 0) {
            return Math.max(seconds, -120) / 2;
        }
        if (seconds < 24) {
            return 1000 + seconds / 3;
        }
        return seconds < 120 ? 2000 + seconds / 24 : 3000;
    }

    private static long mix(long value) {
        long z = value;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
