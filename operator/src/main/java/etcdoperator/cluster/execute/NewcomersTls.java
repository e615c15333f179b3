package etcdoperator.cluster.execute;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.TlsSetup.PeerSide;
import etcdoperator.api.TlsSpec;
import etcdoperator.cluster.view.Problem;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.Scheme;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.Kube;
import etcdoperator.kube.Kube.RefusedException;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.kube.KubeCache;
import etcdoperator.kube.Notice;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.TlsSecrets;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives TLS to every new cluster whose manifest says nothing of it. It is written into the cluster when it is made, so
 * that an operator with another default changes nothing later. {@code tls: {}} says that plaintext is wanted.
 */
public final class NewcomersTls {
    private static final Logger LOG = LoggerFactory.getLogger(NewcomersTls.class);

    private final KubeCache cache;
    private final Kube kube;

    public NewcomersTls(KubeCache cache, Kube kube) {
        this.cache = cache;
        this.kube = kube;
    }

    /** What has come of it. */
    public sealed interface Outcome {
        /** The cluster is no newcomer, or says itself what it wants. */
        record NothingToGive() implements Outcome {}

        /** The cluster is another one now, and is looked at once that is seen. */
        record Given() implements Outcome {}

        /** The cluster must not be founded in plaintext instead, which nobody has asked for. */
        record Refused(Problem problem) implements Outcome {}
    }

    public Outcome writeInto(ClusterKey key) throws StaleViewException {
        Optional<ClusterObjects> newcomer = cache.cluster(key).filter(NewcomersTls::isNew);
        if (newcomer.isEmpty()) {
            return new Outcome.NothingToGive();
        }
        EtcdCluster cluster = newcomer.get().cluster();
        try {
            kube.record(cluster, TlsSpec.MANAGED);
        } catch (RefusedException e) {
            return new Outcome.Refused(new Problem(
                    Problem.Kind.Refused,
                    "The operator's default for new clusters is TLS, which cannot be written into spec.tls: %s; the cluster is not created until it can, so allow the operator to patch it, or set spec.tls yourself, to {} for plaintext"
                            .formatted(e.why())));
        }
        Notice notice = Notice.normal(
                "TlsByDefault", "The manifest says nothing of TLS, and the operator's default is managed");
        notice.log(LOG);
        kube.tell(cluster, notice);
        return new Outcome.Given();
    }

    private static boolean isNew(ClusterObjects objects) {
        EtcdCluster cluster = objects.cluster();
        return cluster.getSpec().tls() == null
                && cluster.getMetadata().getDeletionTimestamp() == null
                && !Boolean.TRUE.equals(cluster.getSpec().paused())
                && !isBegun(cluster)
                && objects.peers().stream().allMatch(peer -> isCertified(peer, Labels.keyOf(cluster)))
                && (objects.claims().isEmpty() || haveSpokenTls(objects.claims()));
    }

    /** A status alone says little: who was paused from the first day has one, too. */
    private static boolean isBegun(EtcdCluster cluster) {
        var status = Objects.requireNonNullElse(cluster.getStatus(), EtcdClusterStatus.EMPTY);
        return status.clusterId() != null || status.operation() != null;
    }

    /** Left by an earlier cluster: taken up without TLS, it would be led back to plaintext. */
    private static boolean isCertified(EtcdPeer peer, ClusterKey key) {
        PeerSide side = peer.getSpec().tlsOrNone().peer();
        return side != null && side.files().name().equals(TlsSecrets.peer(key));
    }

    /** Made anew from the same manifest, over claims that were kept: what it was given then went with its object. */
    private static boolean haveSpokenTls(List<PersistentVolumeClaim> claims) {
        return claims.stream()
                .flatMap(claim -> Optional.ofNullable(claim.getMetadata().getAnnotations()).stream())
                .anyMatch(annotations -> Scheme.named(annotations.get(Labels.PEER_SCHEME)) == Scheme.HTTPS);
    }
}
