package etcdoperator.domain;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;

/**
 * The ids that etcd gives the founders of a cluster. They follow from the peer URLs and the token of the bootstrap alone,
 * so they are known before a member starts. A member that joins later gets an id that depends on the time, too.
 */
public final class FoundedIds {
    private FoundedIds() {}

    /** The first 8 bytes of SHA-1 over the member's peer URL, of which ours have one, and the token. */
    public static MemberId member(String peerUrl, String token) {
        return new MemberId(firstBytes((peerUrl + token).getBytes(StandardCharsets.UTF_8)));
    }

    /** The first 8 bytes of SHA-1 over the ids of all founders, in their order as unsigned numbers. */
    public static ClusterId cluster(Collection<String> peerUrls, String token) {
        ByteBuffer ids = ByteBuffer.allocate(Long.BYTES * peerUrls.size());
        peerUrls.stream()
                .map(url -> member(url, token).value())
                .sorted(Long::compareUnsigned)
                .forEach(ids::putLong);
        return new ClusterId(firstBytes(ids.array()));
    }

    private static long firstBytes(byte[] of) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-1").digest(of))
                    .getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }
}
