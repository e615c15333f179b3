package etcdoperator.domain;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The ids that etcdutl gives a restored cluster and its one member. They follow from the member's peer URL and the token
 * alone, so that it is known who will run on a volume before anybody has.
 */
public record RestoredIds(ClusterId clusterId, MemberId memberId) {
    public static RestoredIds of(String peerUrl, String token) {
        long member = firstBytes((peerUrl + token).getBytes(StandardCharsets.UTF_8));
        long cluster =
                firstBytes(ByteBuffer.allocate(Long.BYTES).putLong(member).array());
        return new RestoredIds(new ClusterId(cluster), new MemberId(member));
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
