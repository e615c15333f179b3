package etcdoperator.cluster.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.cluster.Planner;
import etcdoperator.cluster.observe.Observer;
import etcdoperator.cluster.status.Report;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.view.Chores;
import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.cluster.view.TlsView;
import etcdoperator.domain.Clocks;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every folder of scenarios: from what is seen to what is done and said. */
class ScenarioTest {
    @TestFactory
    Stream<DynamicTest> whatIsSeenLeadsToStepAndStatus() {
        return Scenario.all().stream().map(scenario -> scenario.folder().test(() -> check(scenario)));
    }

    static void check(Scenario scenario) {
        var outcome = new ScenarioOutcome(scenario.given());
        ScenarioCheck.check(
                scenario.folder(),
                outcome.step(),
                outcome.status(),
                Map.of("effects", outcome.effects(), "notices", outcome.notices()));
    }

    /** What status says must be what the next pass remembers, or the same step would be reported without end. */
    @TestFactory
    Stream<DynamicTest> reportingTheSameAgainChangesNothing() {
        return Scenario.all().stream()
                .map(scenario -> scenario.folder().test(() -> {
                    ClusterView view = scenario.given().view();
                    var cluster = ScenarioObjects.of(scenario.given()).cluster();
                    Step step = Planner.next(view);
                    cluster.setStatus(Report.of(cluster, view, step));
                    assertThat(Report.of(cluster, view, step)).isEqualTo(cluster.getStatus());
                }));
    }

    /** A scenario that no Kubernetes objects can bring about would test nothing. */
    @TestFactory
    Stream<DynamicTest> theObserverSeesTheViewInItsObjects() {
        return Scenario.all().stream().map(scenario -> scenario.folder().test(() -> checkObserver(scenario)));
    }

    static void checkObserver(Scenario scenario) {
        ClusterView view = scenario.given().view();
        ClusterView seen = new Observer(
                        ScenarioObjects.of(scenario.given()), "cluster.local", Clocks.agreeingOn(Instant.EPOCH))
                .view(Map.of(), Chores.none(Instant.EPOCH));
        assertThat(withSettingsOf(view, seen.wish())).isEqualTo(view.wish());
        assertThat(seen.memory()).isEqualTo(view.memory());
        assertThat(seen.claims())
                .isEqualTo(view.claims().stream().map(ScenarioTest::well).toList());
        assertThat(seen.peers())
                .isEqualTo(view.peers().stream().map(ScenarioTest::well).toList());
        assertThat(seen.pods())
                .isEqualTo(view.pods().stream().map(ScenarioTest::well).toList());
        assertThat(seen.backups()).isEqualTo(view.backups());
        assertThat(seen.recoveries()).containsExactlyInAnyOrderElementsOf(view.recoveries());
        assertThat(view.nodesDown()).containsAll(seen.nodesDown());
    }

    /** What the Secrets bring about is the matter of TlsReaderTest; here they are not there. */
    private static ClusterView.Wish withSettingsOf(ClusterView view, ClusterView.Wish seen) {
        return new ClusterView.Wish(
                seen.key(),
                seen.uid(),
                seen.replicas(),
                seen.version(),
                view.tls().equals(TlsView.PLAIN) ? seen.settings() : view.wish().settings(),
                seen.memberTimeout(),
                seen.recovery(),
                seen.maintenance(),
                seen.backsUpFirst(),
                seen.mistake(),
                seen.paused(),
                seen.restoring(),
                seen.claimSeed());
    }

    private static ClaimView well(ClaimView claim) {
        return new ClaimView(
                claim.name(),
                claim.peer(),
                claim.contents(),
                claim.createdAt(),
                claim.version(),
                claim.scheme(),
                claim.restored(),
                claim.promotion(),
                claim.retiredFrom(),
                claim.deleting(),
                claim.small(),
                claim.prunable(),
                Optional.empty(),
                Optional.empty());
    }

    private static PeerView well(PeerView peer) {
        return new PeerView(
                peer.name(),
                peer.owner(),
                peer.deleting(),
                peer.claimName(),
                peer.start(),
                peer.templateStart(),
                peer.startsWith(),
                peer.stopped(),
                peer.lastNode(),
                peer.unwellSince(),
                Optional.empty(),
                peer.setup());
    }

    private static PodView well(PodView pod) {
        return new PodView(
                pod.name(),
                pod.peer(),
                pod.ofLivingPeer(),
                pod.claimName(),
                pod.deleting(),
                pod.lingers(),
                pod.ready(),
                pod.serving(),
                pod.start(),
                pod.settings(),
                pod.transport(),
                pod.address(),
                pod.node(),
                Optional.empty());
    }
}
