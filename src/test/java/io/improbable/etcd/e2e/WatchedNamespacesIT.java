package io.improbable.etcd.e2e;

import static io.improbable.etcd.e2e.Patience.forAWhile;
import static io.improbable.etcd.e2e.Testbed.KUBE;
import static io.improbable.etcd.e2e.Testbed.helm;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
                chart().toString(),
                "--namespace",
                home.name(),
                "--set",
                "crds.enabled=false,watchNamespaces=" + watched,
                "--wait");
        TestCluster untended = other.cluster("untended", TestCluster.members(1)).create();
        home.cluster("tended", TestCluster.members(1)).create().awaitHealthy();
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
        assertThat(clusterWideRules())
                .allSatisfy(rule -> assertThat(rule.getResources()).containsExactly("nodes"))
                .allSatisfy(rule -> assertThat(rule.getVerbs()).isSubsetOf("get", "list", "watch"));
    }

    /** Nodes belong to no namespace, and are looked at; nothing else is granted beyond those that are watched. */
    private List<PolicyRule> clusterWideRules() {
        return KUBE.rbac().clusterRoleBindings().list().getItems().stream()
                .filter(binding -> binding.getSubjects().stream()
                        .anyMatch(subject -> home.name().equals(subject.getNamespace())))
                .map(binding -> KUBE.rbac()
                        .clusterRoles()
                        .withName(binding.getRoleRef().getName())
                        .get())
                .flatMap(role -> role.getRules().stream())
                .toList();
    }

    private static Path chart() throws IOException {
        try (var files = Files.newDirectoryStream(Testbed.projectFile("target"), "etcd-operator-*.tgz")) {
            return files.iterator().next();
        }
    }
}
