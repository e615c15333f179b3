package etcdoperator.domain;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A version of etcd, and what that version can do. */
public record EtcdVersion(int major, int minor, int patch) implements Comparable<EtcdVersion> {
    public static final List<EtcdVersion> TESTED_LINES = List.of(
            new EtcdVersion(3, 4, 0), new EtcdVersion(3, 5, 0), new EtcdVersion(3, 6, 0), new EtcdVersion(3, 7, 0));

    private static final Pattern SYNTAX = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+)([-+].*)?");

    @JsonCreator
    public static EtcdVersion parse(String text) {
        Matcher matcher = SYNTAX.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a version of etcd: expected 3.x.y");
        }
        return new EtcdVersion(
                Integer.parseInt(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3)));
    }

    /** Empty for what is none. */
    public static Optional<EtcdVersion> tryParse(String text) {
        try {
            return Optional.of(parse(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** {@code /readyz} came with 3.6.0 and was brought back to 3.5.11 and 3.4.29. */
    public boolean hasReadyz() {
        return compareTo(new EtcdVersion(3, 5, 11)) >= 0 || (minor == 4 && patch >= 29);
    }

    /** Before 3.4 a new member votes from the first moment. */
    public boolean hasLearners() {
        return minor >= 4;
    }

    /** Older lines run, but nobody tests them here and they lack learners. */
    public boolean isTestedLine() {
        return TESTED_LINES.contains(clusterVersion());
    }

    /** The minor alone, as people call it: 3.6. */
    public String line() {
        return major + "." + minor;
    }

    /** From 3.6 on etcd does not start on data that has keys of etcd 2. */
    public boolean forbidsV2() {
        return minor >= 6;
    }

    /** What etcd agrees on once every member runs this minor. */
    public EtcdVersion clusterVersion() {
        return new EtcdVersion(major, minor, 0);
    }

    @Override
    public int compareTo(EtcdVersion other) {
        return Comparator.comparingInt(EtcdVersion::major)
                .thenComparingInt(EtcdVersion::minor)
                .thenComparingInt(EtcdVersion::patch)
                .compare(this, other);
    }

    @Override
    @JsonValue
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
