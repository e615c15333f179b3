package etcdoperator.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.conditions.ArchConditions.callMethodWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import etcdoperator.cluster.Planner;
import etcdoperator.cluster.step.Step;
import io.fabric8.kubernetes.api.model.ContainerFluent;
import io.fabric8.kubernetes.client.CustomResource;
import java.time.Clock;

/** What each kind of code may use. {@link PackagesTest} has the direction between packages. */
@AnalyzeClasses(packages = "etcdoperator", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String OURS = "etcdoperator.";

    /** All that leaves the process. The base class of our own kinds comes from such a package, and is harmless. */
    private static final DescribedPredicate<JavaClass> CLIENTS = resideInAnyPackage(
                    "io.fabric8.kubernetes.client..", "io.grpc..", "java.net..", "java.nio.channels..")
            .and(not(belongToAnyOf(CustomResource.class, java.net.URI.class)))
            .as("clients of Kubernetes, etcd or the network");

    /** Topics that judge from the view alone. */
    private static final String[] JUDGEMENT = {
        OURS + "cluster.view..",
        OURS + "cluster.step..",
        OURS + "cluster.membership..",
        OURS + "cluster.recovery..",
        OURS + "cluster.rollout..",
        OURS + "cluster.maintenance..",
        OURS + "cluster.lifecycle.."
    };

    @ArchTest
    static final ArchRule domainHasNoMachinery = classes()
            .that()
            .resideInAnyPackage(OURS + "domain..", OURS + "calendar..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                    "java..",
                    "com.fasterxml.jackson.annotation..",
                    "org.jspecify..",
                    OURS + "domain..",
                    OURS + "calendar.."))
            .because("values and calendars follow from their inputs alone");

    @ArchTest
    static final ArchRule onlyAdaptersAndProcessesReachOut = noClasses()
            .that()
            .resideOutsideOfPackages(
                    OURS + "agent..",
                    OURS + "kube..",
                    OURS + "etcd..",
                    OURS + "operator..",
                    OURS + "store..",
                    OURS + "tls..")
            .and()
            .resideInAPackage(OURS + "(**)")
            .should()
            .dependOnClassesThat(CLIENTS)
            .because("everything else is tested without a world");

    @ArchTest
    static final ArchRule onlyProcessesImportAdapters = noClasses()
            .that()
            .resideOutsideOfPackages(
                    OURS + "agent..",
                    OURS + "operator..",
                    OURS + "etcd.grpc..",
                    OURS + "kube.fabric..",
                    OURS + "store..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(OURS + "etcd.grpc..", OURS + "kube.fabric..", OURS + "store..")
            .because("an adapter is chosen where a process starts");

    @ArchTest
    static final ArchRule agentsKnowNoKubernetes = noClasses()
            .that()
            .resideInAPackage(OURS + "agent..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.fabric8..", "io.grpc..", OURS + "kube..", OURS + "api..")
                    .or(resideInAnyPackage("java.net..", "java.nio.channels..")
                            .and(not(belongToAnyOf(
                                    java.net.InetSocketAddress.class,
                                    java.net.URI.class,
                                    java.net.URISyntaxException.class,
                                    java.nio.channels.FileChannel.class)))))
            .because("an agent reaches etcd and stores through their packages");

    @ArchTest
    static final ArchRule certificatesAreMadeInOnePlace = noClasses()
            .that()
            .resideOutsideOfPackage(OURS + "tls..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.bouncycastle..")
            .because("keys are handled where they are known never to be printed");

    @ArchTest
    static final ArchRule storesKnowNoKubernetes = noClasses()
            .that()
            .resideInAPackage(OURS + "store..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.fabric8..")
                    .or(resideInAnyPackage(OURS + "(**)").and(not(resideInAnyPackage(OURS + "store..")))))
            .because("where bytes are kept does not depend on what they are");

    @ArchTest
    static final ArchRule onlyStoresKnowProviders = noClasses()
            .that()
            .resideOutsideOfPackage(OURS + "store..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("software.amazon..", "com.azure..", "com.google.auth..", "com.google.api.client..")
            .because("a provider can be changed in one place");

    @ArchTest
    static final ArchRule judgementSeesTheViewAlone = noClasses()
            .that()
            .resideInAnyPackage(JUDGEMENT)
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.fabric8..", OURS + "kube.."))
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Clock.class)
            .because("planning is a pure function of what was observed");

    @ArchTest
    static final ArchRule timeIsAnInput = noClasses()
            .that()
            .resideInAnyPackage(
                    OURS + "cluster..",
                    OURS + "peer..",
                    OURS + "backup..",
                    OURS + "schedule..",
                    OURS + "manifest..",
                    OURS + "domain..",
                    OURS + "api..",
                    OURS + "calendar..",
                    OURS + "tls..")
            .should()
            .callMethod(java.time.Instant.class, "now")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .because("histories could not be replayed otherwise");

    @ArchTest
    static final ArchRule argumentsAreEscapedInOnePlace = noClasses()
            .that()
            .doNotHaveSimpleName("RestrictedContainer")
            .should(callMethodWhere(
                    target(owner(assignableTo(ContainerFluent.class))).and(target(nameMatching(".*Args?")))))
            .because("Kubernetes replaces $(NAME) in arguments by secrets of the environment");

    @ArchTest
    static final ArchRule everythingIsLoggedOneWay = NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;

    @ArchTest
    static final ArchRule nothingPrints = noClasses()
            .that()
            .resideInAPackage(OURS + "(**)")
            .should(ACCESS_STANDARD_STREAMS)
            .because("logs are JSON, a line each");

    @ArchTest
    static final ArchRule nothingSleeps = noClasses()
            .that()
            // An agent moves one backup in a process of its own, and holds up nothing else.
            .resideOutsideOfPackage(OURS + "store..")
            .should()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(Thread.class, "sleep", java.time.Duration.class)
            .because("a pass ends, and an event starts the next");

    @ArchTest
    static final ArchRule namesSayWhatAThingIs = noClasses()
            .that()
            .resideOutsideOfPackages(OURS + "etcd.grpc.proto..", OURS + "agent.disk.proto..")
            .should()
            .haveNameMatching(".*(Utils?|Helpers?|Managers?|Impl)")
            .because("such a name says nothing");

    @ArchTest
    static final ArchRule planningHasNoState = fields().that()
            .areDeclaredIn(Planner.class)
            .should()
            .beFinal()
            .because("the same view always gets the same step");

    @ArchTest
    static final ArchRule stepsAreValues = classes()
            .that()
            .areAssignableTo(Step.class)
            .and()
            .areNotInterfaces()
            .should()
            .beRecords();
}
