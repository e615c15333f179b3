package etcdoperator.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdRestore;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Promotion;
import etcdoperator.domain.Scheme;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ClaimsTest {
    private static final PeerName PEER = PeerName.parse("c-0");

    static Stream<PersistentVolumeClaim> everyClaim() {
        EtcdRestore restore = Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdRestore
                metadata: {name: back, namespace: ns, uid: r1}
                """, EtcdRestore.class);
        return Stream.of(
                Claims.forBootstrap(Given.cluster(), PEER, "u1", 3, Scheme.HTTP),
                Claims.forJoining(Given.cluster(), PEER, "c-0-x", Scheme.HTTPS, Promotion.NOT_REQUESTED),
                Claims.forRestore(
                        restore, "c-0", Given.cluster().getSpec().storage(), EtcdVersion.parse("3.6.16"), Scheme.HTTP));
    }

    /** Argo CD deletes what has this label with the name of an Application, and is not in its repository. */
    @ParameterizedTest
    @MethodSource("everyClaim")
    void noClaimLooksLikeAPartOfAnApplication(PersistentVolumeClaim claim) {
        assertThat(claim.getMetadata().getLabels()).doesNotContainKey("app.kubernetes.io/instance");
    }

    /** Also where a user has labelled it. */
    @ParameterizedTest
    @MethodSource("everyClaim")
    void argoCdIsToldToLeaveEveryClaimAlone(PersistentVolumeClaim claim) {
        assertThat(claim.getMetadata().getAnnotations())
                .containsEntry("argocd.argoproj.io/sync-options", "Prune=false,Delete=false")
                .containsEntry("argocd.argoproj.io/compare-options", "IgnoreExtraneous");
    }
}
