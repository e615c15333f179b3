package etcdoperator.cluster.observe;

import etcdoperator.cluster.view.Problem;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.MemberIdentity;
import etcdoperator.domain.PeerName;
import etcdoperator.etcd.Answer;
import etcdoperator.etcd.Answer.Spoke;
import etcdoperator.etcd.EtcdClient.MemberStatus;
import etcdoperator.manifest.ExpectedMembers;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which member has to answer for each peer. A volume that was used before holds another one, perhaps of another etcd
 * cluster under the same name: its answers count for nothing.
 */
final class Identities {
    private final Optional<ClusterId> known;
    private final Map<PeerName, PersistentVolumeClaim> claims = new TreeMap<>();
    private final Map<PeerName, List<MemberIdentity>> expected = new TreeMap<>();

    /**
     * @param known the etcd cluster, as status or claims record it
     * @param claims of the peers that are there
     */
    Identities(ClusterKey cluster, Optional<ClusterId> known, Map<PeerName, PersistentVolumeClaim> claims) {
        this.known = known;
        this.claims.putAll(claims);
        claims.forEach((peer, claim) -> expected.put(
                peer,
                ExpectedMembers.on(
                        cluster,
                        claim.getMetadata().getName(),
                        claim.getMetadata().getAnnotations(),
                        known)));
    }

    /** Why this is not the member that has to answer for the peer, if it is not. */
    Optional<String> mismatch(PeerName peer, MemberStatus status) {
        var answers = new MemberIdentity(status.clusterId(), status.memberId());
        List<MemberIdentity> right = expected.getOrDefault(peer, List.of());
        boolean ofKnown = known.map(status.clusterId()::equals).orElse(true);
        if (ofKnown && (right.isEmpty() || right.contains(answers))) {
            return Optional.empty();
        }
        boolean ofExpected =
                right.isEmpty() || right.stream().anyMatch(each -> each.clusterId().equals(status.clusterId()));
        return Optional.of(
                ofKnown && ofExpected
                        ? "answers as another member, " + status.memberId()
                        : "answers for another etcd cluster, " + status.clusterId());
    }

    /** For the claims whose members answer as others, what is wrong and what can be done. */
    Map<String, Problem> problems(Map<PeerName, Answer> answers, Instant now) {
        Map<String, Problem> problems = new TreeMap<>();
        answers.forEach((peer, answer) -> {
            if (answer instanceof Spoke spoke
                    && claims.containsKey(peer)
                    && !Testimony.isTooOld(answer, now)
                    && mismatch(peer, spoke.status()).isPresent()) {
                PersistentVolumeClaim claim = claims.get(peer);
                problems.put(claim.getMetadata().getName(), problem(peer, claim, spoke.status()));
            }
        });
        return problems;
    }

    private Problem problem(PeerName peer, PersistentVolumeClaim claim, MemberStatus answers) {
        String name = claim.getMetadata().getName();
        boolean wasRecognised = claim.getMetadata().getAnnotations().containsKey(Labels.MEMBER_ID);
        return new Problem(
                Problem.Kind.IdentityMismatch,
                "%s of claim %s holds data of another member: etcd on it answers as member %s of etcd cluster %s, and %s is expected. The operator does not count %s and sends no clients to it%s"
                        .formatted(
                                Optional.ofNullable(claim.getSpec())
                                        .map(spec -> spec.getVolumeName())
                                        .map("Volume "::concat)
                                        .orElse("The volume"),
                                name,
                                answers.memberId(),
                                answers.clusterId(),
                                told(expected.getOrDefault(peer, List.of())),
                                peer,
                                wasRecognised
                                        ? ", and changes nothing else. Bring the volume back that belongs to the claim; or delete claim %s, and the member is replaced once the others are a healthy quorum"
                                                .formatted(name)
                                        : ". The volume was used before: delete claim %s, and the member is replaced on another volume once the others are a healthy quorum; if the cluster has never served clients, delete the EtcdCluster and its claims instead"
                                                .formatted(name)));
    }

    private String told(List<MemberIdentity> right) {
        return right.isEmpty()
                ? "one of etcd cluster " + known.map(ClusterId::toString).orElse("")
                : right.stream()
                        .map(each -> "member %s of etcd cluster %s".formatted(each.memberId(), each.clusterId()))
                        .collect(Collectors.joining(" or "));
    }
}
