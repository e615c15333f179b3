package etcdoperator.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import etcdoperator.cluster.Planner;
import etcdoperator.cluster.step.Step;
import io.fabric8.kubernetes.client.CustomResource;
import java.time.Clock;

/** The shape of the code, so that it stays what the design says. */
@AnalyzeClasses(packages = "etcdoperator", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String OURS = "etcdoperator.";

    /** All that reaches out of the process. The base class of our own kinds comes from such a package, and is harmless. */
    private static final DescribedPredicate<JavaClass> CLIENTS = resideInAnyPackage(
                    "io.fabric8.kubernetes.client..", "io.grpc..", "java.net..", "java.nio.channels..")
            .and(not(belongToAnyOf(CustomResource.class, java.net.URI.class)))
            .as("clients of Kubernetes, etcd or the network");

    @ArchTest
    static final ArchRule wordsKnowNobody = classes()
            .that()
            .resideInAPackage(OURS + "domain..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                    "java..", "com.fasterxml.jackson.annotation..", "org.jspecify..", OURS + "domain.."))
            .because("the words of the product are free of machinery");

    @ArchTest
    static final ArchRule calendarsKnowNobody = classes()
            .that()
            .resideInAPackage(OURS + "schedule..")
            .should()
            .onlyDependOnClassesThat(
                    resideInAnyPackage("java..", "org.jspecify..", OURS + "domain..", OURS + "schedule.."))
            .because("when something is due follows from the time and the wish alone");

    @ArchTest
    static final ArchRule onlyTheEdgesTouchTheWorld = noClasses()
            .that()
            .resideOutsideOfPackages(
                    OURS + "agent..",
                    OURS + "kube..",
                    OURS + "etcd..",
                    OURS + "operator..",
                    OURS + "store..",
                    OURS + "tls..")
            .and()
            .resideInAPackage(OURS + "(*)..")
            .should()
            .dependOnClassesThat(CLIENTS)
            .because("everything else is tested without a world");

    /** It reaches etcd and stores through their packages, shows its progress, and makes files outlive a power cut. */
    @ArchTest
    static final ArchRule agentsReachOutThroughOthers = noClasses()
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
            .because("an agent knows no Kubernetes, and what it talks to is tried by itself");

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
                    .or(resideInAnyPackage(OURS + "(*)..").and(not(resideInAnyPackage(OURS + "store..")))))
            .because("where bytes are kept has nothing to do with what they are");

    @ArchTest
    static final ArchRule onlyStoresKnowProviders = noClasses()
            .that()
            .resideOutsideOfPackage(OURS + "store..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("software.amazon..", "com.azure..", "com.google.auth..", "com.google.api.client..")
            .because("a provider can be changed in one place");

    @ArchTest
    static final ArchRule plansAreMadeFromViewsAlone = noClasses()
            .that(simpleName("Planner")
                    .or(simpleName("Founding"))
                    .or(simpleName("Problems"))
                    .or(simpleName("ClusterView"))
                    .or(simpleName("Step"))
                    .or(simpleName("Membership")))
            .should()
            .dependOnClassesThat(
                    resideInAnyPackage("io.fabric8..", OURS + "kube..", OURS + "etcd..", OURS + "manifest.."))
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Clock.class)
            .because("planning is a pure function of what was observed");

    @ArchTest
    static final ArchRule nobodyAsksTheTimeInPassing = noClasses()
            .that()
            .resideInAnyPackage(
                    OURS + "cluster..",
                    OURS + "peer..",
                    OURS + "backup..",
                    OURS + "schedules..",
                    OURS + "manifest..",
                    OURS + "domain..",
                    OURS + "api..",
                    OURS + "schedule..",
                    OURS + "tls..")
            .should()
            .callMethod(java.time.Instant.class, "now")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .because("time is an input, or histories could not be replayed");

    @ArchTest
    static final ArchRule manifestsAreBuiltFromWordsAndTypes = classes()
            .that()
            .resideInAPackage(OURS + "manifest..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                    "java..",
                    "org.jspecify..",
                    "io.fabric8.kubernetes.api..",
                    OURS + "api..",
                    OURS + "certmanager..",
                    OURS + "domain..",
                    OURS + "tls..",
                    OURS + "manifest.."))
            .because("what Kubernetes is asked for follows from what was asked of us");

    @ArchTest
    static final ArchRule noPackageCycles =
            slices().matching(OURS + "(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule everythingIsLoggedOneWay = NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;

    @ArchTest
    static final ArchRule nobodyPrints = noClasses()
            .that()
            .resideInAPackage(OURS + "(*)..")
            .should(ACCESS_STANDARD_STREAMS)
            .because("logs are JSON, a line each");

    @ArchTest
    static final ArchRule nobodySleeps = noClasses()
            .that()
            // An agent moves one backup in a process of its own, and holds up nobody.
            .resideOutsideOfPackage(OURS + "store..")
            .should()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(Thread.class, "sleep", java.time.Duration.class)
            .because("a pass ends, and an event starts the next");

    @ArchTest
    static final ArchRule namesSayWhatAThingIs = noClasses()
            .that()
            .resideOutsideOfPackage(OURS + "etcd.proto..")
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
