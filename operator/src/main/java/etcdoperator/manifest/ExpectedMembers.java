package etcdoperator.manifest;

import etcdoperator.domain.ClusterId;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.FoundedIds;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.MemberIdentity;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Scheme;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which member has to run on a claim, as far as the claim says. A volume that was used before may hold another one, and
 * etcd then starts as that one, whatever its flags are.
 */
public final class ExpectedMembers {
    private ExpectedMembers() {}

    /**
     * One of these runs on it; empty where the claim does not say.
     *
     * @param annotations of the claim
     * @param known the etcd cluster, which the claim of a member that joins does not name
     */
    public static List<MemberIdentity> on(
            ClusterKey cluster, String claimName, Map<String, String> annotations, Optional<ClusterId> known) {
        try {
            return read(cluster, claimName, annotations, known);
        } catch (NumberFormatException e) {
            return List.of();
        }
    }

    private static List<MemberIdentity> read(
            ClusterKey cluster, String claimName, Map<String, String> annotations, Optional<ClusterId> known) {
        String clusterId = annotations.get(Labels.CLUSTER_ID);
        String memberId = annotations.get(Labels.MEMBER_ID);
        if (clusterId != null && memberId != null) {
            return List.of(new MemberIdentity(ClusterId.parse(clusterId), MemberId.parse(memberId)));
        }
        String token = annotations.get(Labels.BOOTSTRAP_TOKEN);
        String size = annotations.get(Labels.BOOTSTRAP_SIZE);
        if (clusterId == null && memberId == null && token != null && size != null) {
            return founder(cluster, claimName, token, Integer.parseInt(size));
        }
        String expected = annotations.get(Labels.EXPECTED_MEMBER);
        return known.isPresent() && expected != null
                ? List.of(new MemberIdentity(known.get(), MemberId.parse(expected)))
                : List.of();
    }

    /** All founders are called by the same scheme. By which, need not be what the claim says by now. */
    private static List<MemberIdentity> founder(ClusterKey cluster, String claimName, String token, int size) {
        return Stream.of(Scheme.values())
                .map(scheme -> new MemberIdentity(
                        FoundedIds.cluster(
                                IntStream.range(0, size)
                                        .mapToObj(ordinal -> new PeerName(cluster.name(), ordinal))
                                        .map(peer -> url(cluster, scheme, peer.toString()))
                                        .toList(),
                                token),
                        FoundedIds.member(url(cluster, scheme, claimName), token)))
                .toList();
    }

    private static String url(ClusterKey cluster, Scheme scheme, String claimName) {
        return Addresses.peerUrl(scheme, Addresses.memberHost(cluster, claimName));
    }
}
