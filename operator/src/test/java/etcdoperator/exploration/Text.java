package etcdoperator.exploration;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text as a sequence of parts: words that mean something, names that were given out, and times. Two texts say the same
 * if they differ in nothing but which names were given out, and a little in their times.
 */
final class Text {
    /** One of {@link Word}, {@link Name} and {@link Time}. */
    sealed interface Part {}

    record Word(long hash) implements Part {}

    record Name(String name) implements Part {}

    record Time(long millis) implements Part {}

    private static final Pattern GIVEN_OUT = Pattern.compile("(?<time>\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z)"
            + "|uid-\\d+|node-\\d+|\\b10\\.0\\.0\\.\\d+\\b"
            + "|(?<=\\bc-\\d{1,2}-)[0-9a-z]{3,}\\b"
            + "|\\b(?=[0-9a-f]*\\d)[0-9a-f]{5,}\\b"
            + "|\\b\\d{2,}\\b");

    private final List<Part> parts = new ArrayList<>();

    static Text of(String text) {
        var parsed = new Text();
        parsed.add(text);
        return parsed;
    }

    List<Part> parts() {
        return parts;
    }

    void addName(String name) {
        parts.add(new Name(name));
    }

    void add(String text) {
        Matcher matcher = GIVEN_OUT.matcher(text);
        int end = 0;
        while (matcher.find()) {
            word(text, end, matcher.start());
            end = matcher.end();
            parts.add(
                    matcher.group("time") == null
                            ? new Name(matcher.group())
                            : new Time(Instant.parse(matcher.group()).toEpochMilli()));
        }
        word(text, end, text.length());
    }

    private void word(String text, int from, int to) {
        if (to > from) {
            parts.add(new Word(hash(text, from, to)));
        }
    }

    static long hash(String text, int from, int to) {
        long hash = 0xcbf29ce484222325L;
        for (int i = from; i < to; i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        return hash;
    }
}
