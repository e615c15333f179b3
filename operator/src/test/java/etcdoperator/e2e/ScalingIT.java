package etcdoperator.e2e;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.MemberRole;
import etcdoperator.e2e.fixture.Identity;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.Writers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A cluster takes any size while clients write, and loses nothing on the way. */
@Execution(ExecutionMode.CONCURRENT)
class ScalingIT {
    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @Test
    void upAndDownStepByStep() {
        TestCluster cluster =
                namespace.cluster("step", TestCluster.members(1)).create().awaitHealthy();
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(20);
            cluster.scale(3);
            cluster.awaitSize(3);
            cluster.apply(5);
            cluster.awaitSize(5);
            saysEachStep(cluster, "Added step-4 as learner", "step-4 votes now");
            writers.awaitMore(20);
            Identity five = Identity.of(cluster);

            cluster.lead("step-4");
            cluster.apply(3);
            cluster.awaitSize(3);
            saysEachStep(cluster, "Moved leadership from step-4 to ");
            assertThat(five.memberIds()).containsAllEntriesOf(cluster.memberIds());

            cluster.lead("step-2");
            cluster.scale(1);
            cluster.awaitSize(1);
            saysEachStep(cluster, "Moved leadership from step-2 to ");
            assertThat(five.memberIds()).containsAllEntriesOf(cluster.memberIds());
            assertThat(cluster.status().clusterId()).isEqualTo(five.clusterId());
            keptEverything(writers);
        }
    }

    @Test
    void changedAgainWhileALearnerJoins() {
        TestCluster cluster =
                namespace.cluster("wavering", TestCluster.members(3)).create().awaitHealthy();
        Identity before = Identity.of(cluster);
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(20);
            cluster.scale(5);
            eventually()
                    .until(() -> cluster.status().members().stream()
                            .anyMatch(member -> member.role() == MemberRole.LEARNER));
            cluster.scale(3);
            cluster.awaitSize(3);
            assertThat(Identity.of(cluster)).isEqualTo(before);

            cluster.scale(4);
            eventually().until(() -> cluster.peers().size() == 4);
            cluster.scale(2);
            cluster.awaitSize(2);
            cluster.scale(3);
            cluster.awaitSize(3);
            keptEverything(writers);
        }
    }

    /** A pod that is still on its way out must not take itself for the member that comes after it. */
    @Test
    void toAndFroBeforeAPodHasStarted() {
        TestCluster cluster =
                namespace.cluster("toandfro", TestCluster.members(1)).create().awaitHealthy();
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(20);
            for (int time = 0; time < 4; time++) {
                cluster.scale(2);
                eventually().until(() -> cluster.pods().size() > 1);
                cluster.scale(1);
                eventually().until(() -> cluster.peers().size() == 1);
            }
            cluster.scale(3);
            cluster.awaitSize(3);
            keptEverything(writers);
        }
    }

    /** Of two, one that goes costs the quorum: the other has to lead first. */
    @Test
    void twoMembersAndBack() {
        TestCluster cluster =
                namespace.cluster("pair", TestCluster.members(2)).create().awaitHealthy();
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(20);
            cluster.lead("pair-1");
            cluster.scale(1);
            cluster.awaitSize(1);
            saysEachStep(cluster, "Moved leadership from pair-1 to pair-0");
            cluster.scale(2);
            cluster.awaitSize(2);
            keptEverything(writers);
        }
    }

    @Test
    void asleepAndAwakeAtTheSameAndAtOtherSizes() {
        TestCluster cluster =
                namespace.cluster("sleepy", TestCluster.members(3)).create().awaitHealthy();
        Identity before = Identity.of(cluster);
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(20);
            cluster.scale(0);
            cluster.awaitAsleep(3);
            cluster.scale(3);
            cluster.awaitSize(3);
            assertThat(Identity.of(cluster)).isEqualTo(before);
            writers.awaitMore(20);

            cluster.apply(0);
            cluster.awaitAsleep(3);
            cluster.apply(4);
            cluster.awaitSize(4);
            assertThat(cluster.memberIds()).containsAllEntriesOf(before.memberIds());
            writers.awaitMore(20);

            cluster.scale(0);
            cluster.awaitAsleep(4);
            cluster.scale(1);
            cluster.awaitSizeOfAnyNames(1);
            assertThat(cluster.status().clusterId()).isEqualTo(before.clusterId());
            keptEverything(writers);
        }
    }

    @Test
    void deletedAndCreatedAtAnotherSize() {
        TestCluster cluster =
                namespace.cluster("anew", TestCluster.members(3)).create().awaitHealthy();
        Identity before = Identity.of(cluster);
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(20);
            for (int size : List.of(4, 1)) {
                cluster.delete();
                cluster.awaitGone();
                namespace.cluster("anew", TestCluster.members(size)).create().awaitSizeOfAnyNames(size);
                assertThat(cluster.status().clusterId()).isEqualTo(before.clusterId());
                writers.awaitMore(20);
            }
            keptEverything(writers);
        }
    }

    private static void keptEverything(Writers writers) {
        writers.awaitMore(20);
        writers.stop();
        writers.assertNothingLost();
    }

    private static void saysEachStep(TestCluster cluster, String... sentences) {
        eventually()
                .untilAsserted(() -> assertThat(sentences)
                        .allSatisfy(sentence -> assertThat(cluster.events())
                                .anyMatch(event -> event.getMessage().startsWith(sentence))));
    }
}
