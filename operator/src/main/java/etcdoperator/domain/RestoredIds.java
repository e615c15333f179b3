package etcdoperator.domain;

import java.util.List;

/**
 * The ids that etcdutl gives a restored cluster and its one member: those of a founder that is alone. So it is known who
 * will run on a volume before anybody has.
 */
public record RestoredIds(ClusterId clusterId, MemberId memberId) {
    public static RestoredIds of(String peerUrl, String token) {
        return new RestoredIds(FoundedIds.cluster(List.of(peerUrl), token), FoundedIds.member(peerUrl, token));
    }
}
