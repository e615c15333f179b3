package io.improbable.etcd.domain;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A version of etcd, and what that version can do. */
public record EtcdVersion(int major, int minor, int patch) implements Comparable<EtcdVersion> {
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

    /** {@code /readyz} came with 3.6.0 and was brought back to 3.5.11 and 3.4.29. */
    public boolean hasReadyz() {
        return compareTo(new EtcdVersion(3, 5, 11)) >= 0 || (minor == 4 && patch >= 29);
    }

    /** A member that was cut off must not disturb the others when it returns: the default from 3.5 on. */
    public boolean needsPreVoteFlag() {
        return minor == 4;
    }

    /** Before 3.4 a new member votes from the first moment. */
    public boolean hasLearners() {
        return minor >= 4;
    }

    /** Older lines run, but nobody tests them here and they lack learners. */
    public boolean isTestedLine() {
        return minor >= 4 && minor <= 7;
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
