package etcdoperator.cluster.execute;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.cluster.execute.NewcomersTls.Outcome;
import etcdoperator.cluster.scenario.ScenarioObjects;
import etcdoperator.cluster.scenario.ScenarioView;
import etcdoperator.cluster.view.Problem;
import etcdoperator.domain.ClusterKey;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.kube.KubeCache;
import etcdoperator.kube.Notice;
import etcdoperator.kube.RecordingKube;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who gets TLS without having asked for it. */
class NewcomersTlsTest {
    private static final String WRITTEN = "tls of EtcdCluster c";

    private final RecordingKube kube = new RecordingKube();

    @Test
    void itIsWrittenIntoWhoIsNew() throws Exception {
        assertThat(given("cluster: {replicas: 1}")).isEqualTo(new Outcome.Given());
        assertThat(kube.calls()).containsExactly(WRITTEN);
        assertThat(kube.told()).extracting(Notice::reason).containsExactly("TlsByDefault");
    }

    @Test
    void whoHasBegunOrSaysWhatIsWantedIsLeftAlone() throws Exception {
        assertLeftAlone("cluster: {replicas: 1}\nspec: {tls: {}}");
        assertLeftAlone("cluster: {replicas: 1}\noperation: Bootstrap");
        assertLeftAlone("cluster: {replicas: 1}\nclusterId: c1");
        assertLeftAlone("like: settled\ncluster: {replicas: 1}");
        assertLeftAlone("cluster: {replicas: 1}\nclaims: {c-0: held}");
    }

    /** What is founded in plaintext instead stays so. */
    @Test
    void whereItIsRefusedNothingElseMayHappen() throws Exception {
        kube.refuses(WRITTEN);
        assertThat(given("cluster: {replicas: 1}")).isInstanceOfSatisfying(Outcome.Refused.class, refused -> {
            assertThat(refused.problem().kind()).isEqualTo(Problem.Kind.Refused);
            assertThat(refused.problem().message())
                    .contains("cannot be written into spec.tls: The API server refuses " + WRITTEN);
        });
    }

    @Test
    void whoWasPausedFromTheFirstDayGetsItAfterwards() throws Exception {
        assertLeftAlone("cluster: {replicas: 1}\nspec: {paused: true}");
        ClusterObjects objects = objects("cluster: {replicas: 1}");
        objects.cluster().setStatus(EtcdClusterStatus.EMPTY);
        assertThat(outcome(objects)).isEqualTo(new Outcome.Given());
    }

    @Test
    void whoIsMadeAnewOverMembersThatSpokeTlsGetsItAgain() throws Exception {
        assertThat(given("cluster: {replicas: 1}\nclaims: {c-0: {contents: held, scheme: https}}"))
                .isEqualTo(new Outcome.Given());
    }

    @Test
    void whoTakesUpMembersThatSpeakTlsGetsItAgain() throws Exception {
        String left = """
                like: settled
                cluster: {replicas: 1}
                clusterId: none
                claims: {c-0: {contents: held, scheme: https}}
                peers: {c-0: {owner: nobody, tls: %s}}
                """;
        assertLeftAlone(left.formatted("none"));
        assertThat(given(left.formatted("required"))).isEqualTo(new Outcome.Given());
    }

    private void assertLeftAlone(String view) throws StaleViewException {
        assertThat(given(view)).as(view).isEqualTo(new Outcome.NothingToGive());
        assertThat(kube.calls()).isEmpty();
    }

    private Outcome given(String view) throws StaleViewException {
        return outcome(objects(view));
    }

    private static ClusterObjects objects(String view) {
        return ScenarioObjects.of(ScenarioView.read(Serialization.unmarshal(view, JsonNode.class)));
    }

    private Outcome outcome(ClusterObjects objects) throws StaleViewException {
        return new NewcomersTls(new One(objects), kube).writeInto(new ClusterKey("ns", "c"));
    }

    private record One(ClusterObjects objects) implements KubeCache {
        @Override
        public Optional<ClusterObjects> cluster(ClusterKey key) {
            return Optional.of(objects);
        }

        @Override
        public List<PersistentVolumeClaim> claimsOf(ClusterKey key) {
            return List.of();
        }

        @Override
        public Optional<PeerObjects> peer(PeerKey key) {
            return Optional.empty();
        }
    }
}
