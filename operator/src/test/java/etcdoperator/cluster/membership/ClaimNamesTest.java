package etcdoperator.cluster.membership;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.cluster.scenario.ScenarioView;
import etcdoperator.domain.PeerName;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;

class ClaimNamesTest {
    private static final PeerName PEER = PeerName.parse("c-1");

    @Test
    void theFirstClaimOfAPeerHasItsName() {
        assertThat(next("cluster: {replicas: 1}")).isEqualTo("c-1");
    }

    @Test
    void theNameOfAClaimThatIsThereIsTaken() {
        assertThat(next("claims: {c-1: {contents: held, retired: true}}")).matches("c-1-[0-9a-f]{8}");
    }

    @Test
    void theNameOfAClaimThatAPeerStillWantsIsTaken() {
        assertThat(next("peers: {c-1: {stopped: true}}")).matches("c-1-[0-9a-f]{8}");
    }

    /** A try that is repeated after a crash finds its own claim. */
    @Test
    void theSameIsAskedForAgainAfterACrash() {
        String view = "claims: {c-1: held}";
        assertThat(next(view)).isEqualTo(next(view));
    }

    @Test
    void eachReplacementHasAnotherName() {
        String second = next("claims: {c-1: held}");
        String third = next("claims: {c-1: held, %s: {peer: c-1}}".formatted(second));
        assertThat(third).matches("c-1-[0-9a-f]{8}").isNotEqualTo(second);
        assertThat(next("claims: {c-1: held, %s: {peer: c-1}}".formatted(third)))
                .isEqualTo(second);
    }

    /** Claims that a restore in place has set aside have these names, and are not seen. */
    @Test
    void afterARestoreInPlaceNoNameOfBeforeIsUsed() {
        assertThat(next("cluster: {claimSeed: r1}"))
                .matches("c-1-[0-9a-f]{8}")
                .isNotEqualTo(next("claims: {c-1: held}"))
                .isNotEqualTo(next("cluster: {claimSeed: r2}"));
    }

    /** The annotation that tells went with the cluster, and the claim is still there. */
    @Test
    void norDoesAClusterThatWasMadeAnewSince() {
        assertThat(next("claims: {c-0-0a0a0a0a: {peer: c-0, restored: true}}")).matches("c-1-[0-9a-f]{8}");
        assertThat(next("claims: {c-0: {restored: true}}")).isEqualTo("c-1");
    }

    /** What the restore filled may be lost by then, and only those who joined it are left. */
    @Test
    void norWhereNobodyHasAPlainName() {
        assertThat(next("claims: {c-2-0a0a0a0a: {peer: c-2}}")).matches("c-1-[0-9a-f]{8}");
        assertThat(next("claims: {c-0: held, c-2-0a0a0a0a: {peer: c-2}}")).isEqualTo("c-1");
    }

    @Test
    void anotherClusterOfTheNameUsesOtherNames() {
        assertThat(next("{cluster: {uid: u2}, claims: {c-1: held}}")).isNotEqualTo(next("claims: {c-1: held}"));
    }

    private static String next(String view) {
        return ClaimNames.next(
                ScenarioView.read(Serialization.unmarshal("---\n" + view, JsonNode.class))
                        .view(),
                PEER);
    }
}
