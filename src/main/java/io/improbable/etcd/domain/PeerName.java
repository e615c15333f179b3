package io.improbable.etcd.domain;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One slot of a cluster, such as {@code my-cluster-2}: the name of the peer and of its first claim. */
public record PeerName(String cluster, int ordinal) implements Comparable<PeerName> {
    private static final Pattern SYNTAX = Pattern.compile("(.+)-(0|[1-9][0-9]{0,8})");
    private static final Pattern OF_CLAIM = Pattern.compile("(0|[1-9][0-9]{0,8})(-[0-9a-z]+)?");

    @JsonCreator
    public static PeerName parse(String name) {
        return tryParse(name)
                .orElseThrow(() ->
                        new IllegalArgumentException("'" + name + "' is not a peer name: expected CLUSTER-ORDINAL"));
    }

    public static Optional<PeerName> tryParse(String name) {
        Matcher matcher = SYNTAX.matcher(name);
        return matcher.matches()
                ? Optional.of(new PeerName(matcher.group(1), Integer.parseInt(matcher.group(2))))
                : Optional.empty();
    }

    /** The slot that a claim of this cluster was made for: claims of replacements have a suffix. */
    public static Optional<PeerName> ofClaim(String cluster, String claimName) {
        if (!claimName.startsWith(cluster + "-")) {
            return Optional.empty();
        }
        Matcher matcher = OF_CLAIM.matcher(claimName.substring(cluster.length() + 1));
        return matcher.matches()
                ? Optional.of(new PeerName(cluster, Integer.parseInt(matcher.group(1))))
                : Optional.empty();
    }

    @Override
    public int compareTo(PeerName other) {
        return Comparator.comparing(PeerName::cluster)
                .thenComparing(PeerName::ordinal)
                .compare(this, other);
    }

    @Override
    @JsonValue
    public String toString() {
        return cluster + "-" + ordinal;
    }
}
