package etcdoperator.cluster.observe;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClaimView.Contents;
import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Problem.Kind;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is seen in claims that are not as one would wish: whose they are, and who ran on them. */
class ObservedClaimsTest extends ObservedObjects {
    @Test
    void aClaimOfAnotherClustersPeerIsSomebodyElses() {
        PersistentVolumeClaim other = copy(objects.claims().getFirst(), PersistentVolumeClaim.class, "x-0");
        other.getMetadata().getLabels().put(PREFIX + "peer-name", "x-0");
        objects.claims().add(other);
        assertThat(view().claims()).extracting(ClaimView::name).containsExactly("c-0");
    }

    @Test
    void withoutLabelAClaimBelongsToThePeerOfItsName() {
        objects.claims().getFirst().getMetadata().getLabels().remove(PREFIX + "peer-name");
        assertThat(view().claims()).extracting(ClaimView::peer).containsExactly(PeerName.parse("c-0"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{etcd.improbable.io/bootstrap-token: u1}",
                "{etcd.improbable.io/bootstrap-size: '3'}",
                "{etcd.improbable.io/bootstrap-token: u1, etcd.improbable.io/bootstrap-size: many}",
                "{etcd.improbable.io/cluster-id: nonsense, etcd.improbable.io/member-id: a0}",
                "{etcd.improbable.io/cluster-id: c1, etcd.improbable.io/bootstrap-token: u1, etcd.improbable.io/bootstrap-size: '3'}",
                "{etcd.improbable.io/member-id: a0, etcd.improbable.io/bootstrap-token: u1, etcd.improbable.io/bootstrap-size: '3'}"
            })
    void annotationsThatSayHalfSayNothing(String annotations) {
        annotate(annotations);
        assertThat(view().claims()).extracting(ClaimView::contents).containsExactly(new Contents.Unknown());
    }

    /** A claim that once held data keeps the marks of its bootstrap, which must not count any more. */
    @Test
    void whoRanOnAClaimCountsForMoreThanWhatItWasMadeFor() {
        annotate(
                "{etcd.improbable.io/cluster-id: c1, etcd.improbable.io/member-id: a0, etcd.improbable.io/bootstrap-token: u1, etcd.improbable.io/bootstrap-size: '3'}");
        assertThat(view().claims())
                .extracting(ClaimView::contents)
                .containsExactly(new Contents.Held(new ClusterId(0xc1), new MemberId(0xa0)));
    }

    @Test
    void aRetiredClaimTellsWhoLeaves() {
        annotate(
                "{etcd.improbable.io/cluster-id: c1, etcd.improbable.io/member-id: a0, etcd.improbable.io/retired: a0}");
        assertThat(view().claims().getFirst().retiredFrom()).contains(new MemberId(0xa0));
    }

    /** A claim is deleted only when it is known whose it was. */
    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "yes", "\"true\""})
    void aWordThatIsNoMemberRetiresNothing(String word) {
        annotate("{etcd.improbable.io/retired: %s}".formatted(word));
        assertThat(view().claims().getFirst().retired()).isFalse();
    }

    @Test
    void aClaimForALearnerIsOneUntilSomebodyWasSeenOnIt() {
        annotate("{etcd.improbable.io/joining: \"true\"}");
        assertThat(view().claims().getFirst().contents()).isEqualTo(new Contents.Joining());
        annotate(
                "{etcd.improbable.io/joining: \"true\", etcd.improbable.io/cluster-id: c1, etcd.improbable.io/member-id: b0}");
        assertThat(view().claims().getFirst().heldData()).isTrue();
    }

    @Test
    void howOldAClaimIsIsSeen() {
        objects.claims().getFirst().getMetadata().setCreationTimestamp("2026-01-01T11:00:00Z");
        assertThat(view().claims().getFirst().createdAt()).isEqualTo("2026-01-01T11:00:00Z");
        objects.claims().getFirst().getMetadata().setCreationTimestamp(null);
        assertThat(view().claims().getFirst().createdAt()).isEqualTo(Instant.EPOCH);
    }

    @Test
    void complaintsAboutAClaimAreSeen() {
        objects.claims().getFirst().setStatus(null);
        objects.volumeWarnings().add(Serialization.unmarshal("""
                apiVersion: v1
                kind: Event
                metadata: {name: e, resourceVersion: "9"}
                involvedObject: {uid: claim-c-0}
                message: no such class
                """, Event.class));
        assertThat(view().claims().getFirst().problem())
                .contains(new Problem(Kind.VolumeUnavailable, "Claim c-0 gets no volume: no such class"));
    }

    private void annotate(String annotations) {
        @SuppressWarnings("unchecked")
        Map<String, String> map = Serialization.unmarshal("---\n" + annotations, Map.class);
        objects.claims().getFirst().getMetadata().setAnnotations(map);
    }
}
