package io.improbable.etcd.domain;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Comparator;

/** One slot of a cluster, such as {@code my-cluster-2}: the name of the peer, its pod's host name and its first claim. */
public record PeerName(String cluster, int ordinal) implements Comparable<PeerName> {
    @JsonCreator
    public static PeerName parse(String name) {
        int dash = name.lastIndexOf('-');
        if (dash < 1) {
            throw new IllegalArgumentException("'" + name + "' is not a peer name: expected CLUSTER-ORDINAL");
        }
        return new PeerName(name.substring(0, dash), Integer.parseUnsignedInt(name.substring(dash + 1)));
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
