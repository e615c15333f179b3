package etcdoperator.e2e.operator;

import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.e2e.fixture.AuditLog;
import etcdoperator.e2e.fixture.AuditLog.Request;
import etcdoperator.e2e.fixture.InstalledOperator;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Holds what RBAC grants against what was asked for while all other tests ran: nothing was forbidden, and nothing is
 * granted that nobody needs. It comes last, and by itself it proves nothing.
 */
@Isolated
@Order(Integer.MAX_VALUE)
class RbacIT {
    private static final Instant BEGIN =
            Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());

    /** The lease is made once in the life of an installation; that moment belongs into the record, too. */
    @BeforeAll
    static void beginWithoutALease() {
        InstalledOperator.SHARED.stop();
        InstalledOperator.SHARED.deleteLease();
        InstalledOperator.SHARED.start();
    }

    @Test
    void nothingWasForbidden() {
        List<Request> requests = AuditLog.since(BEGIN);
        assertThat(requests).isNotEmpty();
        assertThat(requests.stream().filter(request -> !request.allowed())).isEmpty();
    }

    @Test
    void everyVerbThatIsGrantedIsUsed() {
        Set<String> used = AuditLog.since(BEGIN).stream()
                .map(request -> spell(request.verb(), request.group(), request.resource()))
                .collect(toCollection(TreeSet::new));

        assertThat(granted()).isNotEmpty();
        assertThat(granted().stream().filter(right -> !used.contains(right))).isEmpty();
    }

    private static Set<String> granted() {
        Stream<PolicyRule> everywhere = KUBE.rbac().clusterRoles().list().getItems().stream()
                .filter(role -> role.getMetadata().getName().startsWith("etcd-operator"))
                .flatMap(role -> role.getRules().stream());
        Stream<PolicyRule> atHome =
                KUBE.rbac().roles().inNamespace(InstalledOperator.SHARED.namespace()).list().getItems().stream()
                        .flatMap(role -> role.getRules().stream());
        return Stream.concat(everywhere, atHome).flatMap(RbacIT::spelledOut).collect(toCollection(TreeSet::new));
    }

    private static Stream<String> spelledOut(PolicyRule rule) {
        List<String> resources = rule.getResources();
        return rule.getVerbs().stream()
                .flatMap(verb -> rule.getApiGroups().stream()
                        .flatMap(group -> resources.stream().map(resource -> spell(verb, group, resource))));
    }

    private static String spell(String verb, String group, String resource) {
        return verb + " " + resource + (group.isEmpty() ? "" : "." + group);
    }
}
