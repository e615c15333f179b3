package etcdoperator.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;

/** The packages, lowest first. A package depends only on those that stand before it. */
@AnalyzeClasses(packages = "etcdoperator", importOptions = DoNotIncludeTests.class)
class PackagesTest {
    private static final String ROOT = "etcdoperator";

    private static final List<String> ORDER = List.of(
            "domain",
            "calendar",
            "api.rules",
            "api.backup",
            "api",
            "certmanager",
            "tls",
            "agentreport",
            "commandline",
            "manifest.flags",
            "manifest",
            "etcd",
            "kube",
            "reconcile",
            "cluster.view",
            "cluster.step",
            "cluster.membership",
            "cluster.recovery",
            "cluster.rollout",
            "cluster.tls",
            "cluster.auth",
            "cluster.maintenance",
            "cluster.services",
            "cluster.lifecycle",
            "cluster.effect",
            "cluster.observe",
            "cluster.status",
            "cluster.execute",
            "cluster",
            "agentjob",
            "backup",
            "restore",
            "schedule",
            "peer",
            "etcd.grpc.proto",
            "etcd.grpc",
            "kube.fabric",
            "store",
            "agent.crypto",
            "agent.disk.proto",
            "agent.disk",
            "agent",
            "operator",
            "");

    @ArchTest
    static final ArchRule everyPackageHasItsPlace = classes().should(resideInAKnownPackage());

    @ArchTest
    static final ArchRule dependenciesPointDown = classes().should(dependOnLowerPackagesOnly());

    @ArchTest
    static final ArchRule noCycles = slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

    private static ArchCondition<JavaClass> resideInAKnownPackage() {
        return new ArchCondition<>("reside in a package that PackagesTest lists") {
            @Override
            public void check(JavaClass item, ConditionEvents events) {
                events.add(new SimpleConditionEvent(
                        item, ORDER.contains(nameOf(item)), "%s is in no listed package".formatted(item.getName())));
            }
        };
    }

    private static ArchCondition<JavaClass> dependOnLowerPackagesOnly() {
        return new ArchCondition<>("depend only on packages that stand before their own") {
            @Override
            public void check(JavaClass item, ConditionEvents events) {
                int place = ORDER.indexOf(nameOf(item));
                for (Dependency dependency : item.getDirectDependenciesFromSelf()) {
                    JavaClass target = dependency.getTargetClass().getBaseComponentType();
                    if (isOurs(target) && ORDER.indexOf(nameOf(target)) > place) {
                        events.add(SimpleConditionEvent.violated(item, dependency.getDescription()));
                    }
                }
            }
        };
    }

    private static boolean isOurs(JavaClass item) {
        return item.getPackageName().equals(ROOT) || item.getPackageName().startsWith(ROOT + ".");
    }

    private static String nameOf(JavaClass item) {
        return item.getPackageName().equals(ROOT) ? "" : item.getPackageName().substring(ROOT.length() + 1);
    }
}
