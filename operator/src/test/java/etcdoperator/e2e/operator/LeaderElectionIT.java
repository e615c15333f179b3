package etcdoperator.e2e.operator;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.e2e.fixture.InstalledOperator;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.Testbed;
import etcdoperator.e2e.fixture.Writers;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

/** Two replicas of the operator, of which one acts. */
@Isolated
@Order(30)
class LeaderElectionIT {
    private static final InstalledOperator OPERATOR = InstalledOperator.SHARED;

    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @BeforeAll
    static void two() {
        OPERATOR.start(2);
    }

    @AfterEach
    void thaw() {
        Testbed.testbed("thaw-apiserver");
    }

    @AfterAll
    static void one() {
        OPERATOR.start();
    }

    @Test
    void oneThatIsStoppedHandsOver() {
        String first = OPERATOR.leader();
        TestCluster cluster =
                namespace.cluster("before", TestCluster.members(1)).create().awaitHealthy();

        Testbed.kubectl("delete", "pod", "-n", OPERATOR.namespace(), first, "--wait=false");
        eventually()
                .until(() ->
                        !OPERATOR.leader().equals(first) && !OPERATOR.leader().isEmpty());

        namespace.cluster("after", TestCluster.members(1)).create().awaitHealthy();
        cluster.awaitHealthy();
    }

    /** The API server keeps connections open and answers nothing, for longer than the lease. */
    @Test
    void nobodyActsWithoutTheLeaseAndEtcdServesOn() {
        TestCluster cluster =
                namespace.cluster("frozen", TestCluster.members(3)).create().awaitHealthy();
        List<Pod> operators = OPERATOR.pods();
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(20);
            Testbed.testbed("freeze-apiserver");

            eventually().until(() -> operators.stream().noneMatch(OPERATOR::leads));
            writers.awaitMore(20);
            Testbed.testbed("thaw-apiserver");

            OPERATOR.awaitReady(2);
            eventually().until(() -> leaders() == 1);
            namespace.cluster("thawed", TestCluster.members(1)).create().awaitHealthy();
            cluster.awaitHealthy();
            writers.stop();
            writers.assertNothingLost();
        }
        assertThat(leaders()).isEqualTo(1);
    }

    private static long leaders() {
        return OPERATOR.pods().stream().filter(OPERATOR::leads).count();
    }
}
