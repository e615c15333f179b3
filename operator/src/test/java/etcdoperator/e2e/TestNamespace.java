package etcdoperator.e2e;

import static etcdoperator.e2e.Patience.eventually;
import static etcdoperator.e2e.Testbed.KUBE;
import static java.nio.charset.StandardCharsets.UTF_8;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterSpec;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A namespace of a test's own, so that tests run side by side; it goes with all that is in it, claims too. */
final class TestNamespace implements BeforeEachCallback, AfterEachCallback {
    private String name = "";

    @Override
    public void beforeEach(ExtensionContext test) {
        String topic =
                test.getRequiredTestClass().getSimpleName().replace("IT", "").toLowerCase(Locale.ROOT);
        name = "e2e-" + topic + "-" + UUID.randomUUID().toString().substring(0, 6);
        create();
    }

    @Override
    public void afterEach(ExtensionContext test) throws IOException {
        if (test.getExecutionException().isPresent()) {
            keepEvidence(test);
        }
        // before the namespace, or the operator would bring back what goes, for as long as the cluster is there
        KUBE.resources(EtcdCluster.class).inNamespace(name).delete();
        KUBE.namespaces().withName(name).delete();
    }

    String name() {
        return name;
    }

    void create() {
        KUBE.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        // etcd pods are to run where only well-behaved pods may
                        .withLabels(Map.of("pod-security.kubernetes.io/enforce", "restricted"))
                        .endMetadata()
                        .build())
                .create();
    }

    /** Returns when it is gone, so that it can be made again. */
    void delete() {
        KUBE.namespaces().withName(name).delete();
        eventually().until(() -> KUBE.namespaces().withName(name).get() == null);
    }

    /** As {@code kubectl apply} does. */
    void apply(String manifests) {
        KUBE.load(new ByteArrayInputStream(manifests.getBytes(UTF_8))).items().stream()
                .map(HasMetadata.class::cast)
                .forEach(object -> KUBE.resource(object).inNamespace(name).create());
    }

    TestCluster cluster(String clusterName, EtcdClusterSpec spec) {
        return new TestCluster(name, clusterName, spec);
    }

    /** What is needed to understand a failure once the namespace is gone. */
    private void keepEvidence(ExtensionContext test) throws IOException {
        Path folder = Testbed.projectFile("target/e2e-evidence");
        Files.createDirectories(folder);
        String file = test.getRequiredTestClass().getSimpleName() + "."
                + test.getDisplayName().replaceAll("\\W+", "-");
        String objects = Testbed.kubectl(
                "get",
                "-n",
                name,
                "etcd,etcdpeers,etcdbackups,etcdrestores,replicasets,jobs,pods,pvc,pdb",
                "-o",
                "yaml");
        String events = Testbed.kubectl("get", "-n", name, "events", "--sort-by=.metadata.creationTimestamp");
        Files.writeString(folder.resolve(file + ".txt"), events + "\n" + objects);
    }
}
