package etcdoperator.domain;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version of etcd, and what that version can do.
 *
 * @param prerelease what follows the numbers, such as {@code rc.0}; empty for a release
 */
public record EtcdVersion(int major, int minor, int patch, String prerelease) implements Comparable<EtcdVersion> {
    public static final List<EtcdVersion> TESTED_LINES = List.of(
            new EtcdVersion(3, 4, 0), new EtcdVersion(3, 5, 0), new EtcdVersion(3, 6, 0), new EtcdVersion(3, 7, 0));

    private static final Pattern SYNTAX = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+)(?:-([^+]+))?(?:[+].*)?");

    public EtcdVersion(int major, int minor, int patch) {
        this(major, minor, patch, "");
    }

    @JsonCreator
    public static EtcdVersion parse(String text) {
        Matcher matcher = SYNTAX.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a version of etcd: expected 3.x.y");
        }
        return new EtcdVersion(
                Integer.parseInt(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3)),
                Objects.requireNonNullElse(matcher.group(4), ""));
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

    /** Before this, a learner whose peer URL is changed is listed as a voter, and can never become one. */
    public boolean keepsLearners() {
        return minor >= 7 || (minor == 6 && patch >= 12) || (minor == 5 && patch >= 31);
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

    /**
     * Whether a member that says it runs this version may have been started from an image with that tag. Images of others
     * have tags such as {@code 3.6.16-r2} with etcd 3.6.16 in them.
     */
    public boolean mayBe(EtcdVersion tag) {
        return equals(tag) || (prerelease.isEmpty() && equals(new EtcdVersion(tag.major, tag.minor, tag.patch)));
    }

    /** A prerelease comes before its release. */
    @Override
    public int compareTo(EtcdVersion other) {
        return Comparator.comparingInt(EtcdVersion::major)
                .thenComparingInt(EtcdVersion::minor)
                .thenComparingInt(EtcdVersion::patch)
                .thenComparing(EtcdVersion::prerelease, Prerelease.ORDER)
                .compare(this, other);
    }

    @Override
    @JsonValue
    public String toString() {
        return major + "." + minor + "." + patch + (prerelease.isEmpty() ? "" : "-" + prerelease);
    }
}
