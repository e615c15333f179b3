package etcdoperator.domain;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds in the last lines etcd wrote the one that says why it gave up, without times: the same cause, the same words. */
public final class EtcdLog {
    private static final Pattern FATAL = Pattern.compile("\"level\":\"(fatal|panic)\"");
    private static final Pattern MESSAGE = Pattern.compile("\"msg\":\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern ERROR = Pattern.compile("\"error\":\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern TIME = Pattern.compile("^[0-9-]+ [0-9:.]+ ");

    private EtcdLog() {}

    /** Behind a colon, or nothing. */
    public static String lastWords(@Nullable String terminationMessage) {
        if (terminationMessage == null || terminationMessage.isBlank()) {
            return "";
        }
        List<String> lines = terminationMessage.strip().lines().toList();
        String line = lines.stream()
                .filter(candidate -> FATAL.matcher(candidate).find())
                .findFirst()
                .orElse(lines.getLast());
        return ": "
                + find(MESSAGE, line)
                        .map(message -> message
                                + find(ERROR, line).map(error -> ": " + error).orElse(""))
                        .orElseGet(() -> TIME.matcher(line).replaceFirst(""));
    }

    private static Optional<String> find(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
}
