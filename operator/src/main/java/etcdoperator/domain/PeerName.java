package etcdoperator.domain;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/** One slot of a cluster, such as {@code my-cluster-2}: the name of the peer, its pod's host name and its first claim. */
public record PeerName(String cluster, int ordinal) implements Comparable<PeerName> {
    private static final Pattern CLAIM_HASH = Pattern.compile("-[0-9a-f]{8}$");
    private static final Pattern SYNTAX = Pattern.compile("(.+)-(0|[1-9][0-9]{0,8})");

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

    /** The slot that a claim of this cluster is for: {@code NAME-N}, or {@code NAME-N-HASH} for a replacement. */
    public static Optional<PeerName> ofClaim(String cluster, String claimName) {
        return tryParse(CLAIM_HASH.matcher(claimName).replaceFirst(""))
                .filter(peer -> peer.cluster().equals(cluster))
                .or(() -> tryParse(claimName).filter(peer -> peer.cluster().equals(cluster)));
    }

    /** A name for another claim of this slot; the same for the same seed, so that a try repeated after a crash finds it. */
    public String claimWith(String seed) {
        var crc = new CRC32();
        crc.update(seed.getBytes(StandardCharsets.UTF_8));
        return "%s-%08x".formatted(this, crc.getValue());
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
