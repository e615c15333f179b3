package io.improbable.etcd.simulation;

import io.improbable.etcd.domain.ClusterId;
import io.improbable.etcd.domain.MemberId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.TreeMap;

/**
 * What etcd is told when it starts, and the ids it makes of that.
 *
 * @param initialCluster peer URLs by member name
 */
public record StartFlags(
        String name, String peerUrl, String clientUrl, Map<String, String> initialCluster, String state, String token) {

    public StartFlags {
        initialCluster = new TreeMap<>(initialCluster);
    }

    /** As the flag writes it: {@code a=http://a:2380,b=http://b:2380}. */
    static Map<String, String> parseInitialCluster(String flag) {
        Map<String, String> members = new TreeMap<>();
        for (String member : flag.split(",")) {
            int equals = member.indexOf('=');
            members.put(member.substring(0, equals), member.substring(equals + 1));
        }
        return members;
    }

    boolean founds() {
        return state.equals("new");
    }

    /** etcd's own recipe: the URL and the token, nothing else. */
    public MemberId memberId(String url) {
        return new MemberId(hash((url + token).getBytes(StandardCharsets.UTF_8)));
    }

    /** etcd's own recipe: the member ids, in order. */
    public ClusterId clusterId() {
        ByteBuffer ids = ByteBuffer.allocate(8 * initialCluster.size());
        initialCluster.values().stream()
                .map(url -> memberId(url).value())
                .sorted(Long::compareUnsigned)
                .forEach(ids::putLong);
        return new ClusterId(hash(ids.array()));
    }

    private static long hash(byte[] bytes) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-1").digest(bytes))
                    .getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
