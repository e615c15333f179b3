package etcdoperator.store;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A path with blanks that are filled in when a backup is stored: {@code {namespace}/{cluster}/{time}.db}. */
public record PathTemplate(String text) {
    private static final Pattern BLANK = Pattern.compile("\\{([^{}]*)}");

    /** Sorts by time, and is the same in a URL. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    /** What the blanks are filled with. */
    public record Facts(String namespace, String cluster, Instant time, long revision, String uid, String version) {}

    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    private enum Blank {
        NAMESPACE(Facts::namespace),
        CLUSTER(Facts::cluster),
        TIME(facts -> PathTemplate.TIME.format(facts.time())),
        REVISION(facts -> Long.toString(facts.revision())),
        UID(Facts::uid),
        VERSION(Facts::version);

        private final Function<Facts, String> value;

        Blank(Function<Facts, String> value) {
            this.value = value;
        }

        String word() {
            return "{" + name().toLowerCase(java.util.Locale.ROOT) + "}";
        }

        static Blank of(String word) {
            return Arrays.stream(values())
                    .filter(blank -> blank.word().equals(word))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("the path has " + word + ", but known are only "
                            + Arrays.stream(values()).map(Blank::word).collect(Collectors.joining(" "))));
        }
    }

    /** @throws IllegalArgumentException in words for users */
    public PathTemplate {
        String filled = BLANK.matcher(text).replaceAll(match -> {
            Blank.of(match.group());
            return "x";
        });
        if (filled.contains("{") || filled.contains("}")) {
            throw new IllegalArgumentException("the path has a brace without its other half");
        }
        String flaw = Place.flaw(filled);
        if (!flaw.isEmpty()) {
            throw new IllegalArgumentException("the path cannot be used: " + flaw);
        }
    }

    /** @throws IllegalArgumentException in words for users, if a fact makes it no path */
    public String fill(Facts facts) {
        String path = BLANK.matcher(text)
                .replaceAll(match ->
                        Matcher.quoteReplacement(Blank.of(match.group()).value.apply(facts)));
        String flaw = Place.flaw(path);
        if (!flaw.isEmpty()) {
            throw new IllegalArgumentException("the path '" + path + "' cannot be used: " + flaw);
        }
        return path;
    }
}
