package etcdoperator.cluster.observe;

import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClaimView.Contents;
import etcdoperator.cluster.view.Problem;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Promotion;
import etcdoperator.domain.Scheme;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.ArgoCd;
import etcdoperator.manifest.Claims;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;

/** Reads what a claim says of itself. */
final class ClaimReader {
    private ClaimReader() {}

    static ClaimView read(PersistentVolumeClaim claim, PeerName peer, ClusterObjects objects, Instant now) {
        return read(claim, peer, objects, Optional.empty(), now);
    }

    /** @param mismatch what its member answers that does not belong to it */
    static ClaimView read(
            PersistentVolumeClaim claim,
            PeerName peer,
            ClusterObjects objects,
            Optional<Problem> mismatch,
            Instant now) {
        var annotations = claim.getMetadata().getAnnotations();
        Optional<Mounting> mounting = Mounting.of(claim, objects.pods(), objects.volumeWarnings(), now);
        return new ClaimView(
                claim.getMetadata().getName(),
                peer,
                contents(annotations),
                createdAt(claim),
                version(annotations),
                Scheme.named(annotations.get(Labels.PEER_SCHEME)),
                annotations.containsKey(Labels.RESTORED_BY),
                Promotion.named(annotations.get(Labels.PROMOTION)),
                memberId(annotations, Labels.EXPECTED_MEMBER),
                volume(claim),
                readableAt(annotations),
                memberId(annotations, Labels.RETIRED),
                claim.getMetadata().getDeletionTimestamp() != null,
                Claims.isSmall(claim, objects.cluster()),
                ArgoCd.mayPrune(claim),
                mismatch.or(() -> problem(claim, objects)).or(() -> mounting.map(Mounting::problem)),
                mounting.map(Mounting::since));
    }

    private static Optional<Problem> problem(PersistentVolumeClaim claim, ClusterObjects objects) {
        String name = claim.getMetadata().getName();
        return Optional.ofNullable(objects.lostVolumes().get(name))
                .map(why -> new Problem(Problem.Kind.VolumeLost, "Claim %s has lost its data: %s".formatted(name, why)))
                .or(() -> Diagnosis.ofClaim(claim, objects.volumeWarnings()));
    }

    private static Instant createdAt(PersistentVolumeClaim claim) {
        return Optional.ofNullable(claim.getMetadata().getCreationTimestamp())
                .map(Instant::parse)
                .orElse(Instant.EPOCH);
    }

    private static Optional<Instant> readableAt(Map<String, String> annotations) {
        try {
            return Optional.ofNullable(annotations.get(Labels.READABLE_AT)).map(Instant::parse);
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> volume(PersistentVolumeClaim claim) {
        return Optional.ofNullable(claim.getSpec()).map(spec -> spec.getVolumeName());
    }

    private static Optional<EtcdVersion> version(Map<String, String> annotations) {
        return Optional.ofNullable(annotations.get(Labels.VERSION)).flatMap(EtcdVersion::tryParse);
    }

    /** A word that is no member's id retires nothing: a claim is deleted only when it is known whose it was. */
    private static Optional<MemberId> memberId(Map<String, String> annotations, String which) {
        try {
            return Optional.ofNullable(annotations.get(which)).map(MemberId::parse);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Annotations that somebody has spoilt say nothing: what is on the claim is then unknown. */
    private static Contents contents(Map<String, String> annotations) {
        try {
            return annotatedContents(annotations);
        } catch (NumberFormatException e) {
            return new Contents.Unknown();
        }
    }

    private static Contents annotatedContents(Map<String, String> annotations) {
        String clusterId = annotations.get(Labels.CLUSTER_ID);
        String memberId = annotations.get(Labels.MEMBER_ID);
        if (clusterId != null && memberId != null) {
            return new Contents.Held(ClusterId.parse(clusterId), MemberId.parse(memberId));
        }
        if (clusterId != null || memberId != null) {
            // Somebody ran on it, so that no bootstrap may have it any more.
            return new Contents.Unknown();
        }
        String token = annotations.get(Labels.BOOTSTRAP_TOKEN);
        String size = annotations.get(Labels.BOOTSTRAP_SIZE);
        if (token != null && size != null) {
            return new Contents.Bootstrapping(token, Integer.parseInt(size));
        }
        return annotations.containsKey(Labels.JOINING) ? new Contents.Joining() : new Contents.Unknown();
    }
}
