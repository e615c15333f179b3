package etcdoperator.e2e.operator;

import static etcdoperator.e2e.fixture.Patience.forAWhile;
import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static etcdoperator.e2e.fixture.Testbed.helm;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.e2e.fixture.InstalledOperator;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.Testbed;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An operator for its own namespace, or for a list of them, installed by the chart and with no right beyond. */
@Isolated
@Order(40)
class WatchedNamespacesIT {
    @RegisterExtension
    final TestNamespace home = new TestNamespace();

    @RegisterExtension
    final TestNamespace listed = new TestNamespace();

    @RegisterExtension
    final TestNamespace other = new TestNamespace();

    @BeforeEach
    void theSharedOneRests() {
        InstalledOperator.SHARED.stop();
    }

    @AfterEach
    void theSharedOneIsBack() {
        helm("uninstall", "etcd-operator", "--namespace", home.name(), "--wait");
        InstalledOperator.SHARED.start();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void tendsWhatItWasToldToAndNothingElse(boolean ownOnly) throws IOException {
        String watched = ownOnly ? "{.}" : "{" + home.name() + "," + listed.name() + "}";
        helm(
                "install",
                "etcd-operator",
                Testbed.chart().toString(),
                "--namespace",
                home.name(),
                "--set",
                "crds.enabled=false,defaultTls=MANAGED,watchNamespaces=" + watched,
                "--wait");
        TestCluster untended = other.cluster("untended", TestCluster.members(1)).create();
        TestCluster tended =
                home.cluster("tended", TestCluster.members(1)).create().awaitHealthy();
        assertThat(tended.object().getSpec().tls())
                .as("what its chart has for new clusters")
                .isNotNull();
        assertThat(tended.status().endpoints())
                .allSatisfy(url -> assertThat(url).startsWith("https://"));
        TestCluster second = listed.cluster("listed", TestCluster.members(1)).create();
        if (!ownOnly) {
            second.awaitHealthy();
        }

        List<TestCluster> leftAlone = ownOnly ? List.of(untended, second) : List.of(untended);
        forAWhile()
                .until(() ->
                        leftAlone.stream().allMatch(cluster -> cluster.object().getStatus() == null));
        var operator = new InstalledOperator(home.name(), "etcd-operator");
        assertThat(operator.log(operator.pods().getFirst())).doesNotContain("forbidden");
        assertThat(KUBE.rbac().clusterRoleBindings().list().getItems())
                .filteredOn(binding -> binding.getSubjects().stream()
                        .anyMatch(subject -> home.name().equals(subject.getNamespace())))
                .as("nodes belong to no namespace; nothing else is granted everywhere")
                .extracting(binding -> binding.getRoleRef().getName())
                .containsExactly("etcd-operator-nodes-" + home.name());
    }
}
