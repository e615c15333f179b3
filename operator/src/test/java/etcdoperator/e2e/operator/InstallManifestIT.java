package etcdoperator.e2e.operator;

import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static etcdoperator.e2e.fixture.Testbed.helm;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.e2e.fixture.Testbed;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The build renders the chart without the helm program; what the program renders is the same. */
class InstallManifestIT {
    private static final Set<String> LABELS_OF_HELM = Set.of("helm.sh/chart", "app.kubernetes.io/managed-by");

    @Test
    void holdsWhatHelmRendersAndTheNamespace() throws IOException {
        List<HasMetadata> installed = objects(Files.readString(Testbed.projectFile("target/install.yaml")));
        assertThat(installed.getFirst()).isInstanceOf(Namespace.class);
        String image = image(installed);
        int colon = image.lastIndexOf(':');

        List<HasMetadata> rendered = objects(helm(
                "template",
                "etcd-operator",
                Testbed.chart().toString(),
                "--namespace",
                installed.getFirst().getMetadata().getName(),
                "--set-string",
                "image.repository=" + image.substring(0, colon) + ",image.tag=" + image.substring(colon + 1)));
        rendered.forEach(object -> {
            if (object.getMetadata().getLabels() != null) {
                object.getMetadata().getLabels().keySet().removeAll(LABELS_OF_HELM);
            }
        });

        assertThat(installed.subList(1, installed.size())).isEqualTo(rendered);
    }

    private static List<HasMetadata> objects(String yaml) {
        return KUBE.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .items();
    }

    private static String image(List<HasMetadata> objects) {
        return objects.stream()
                .filter(Deployment.class::isInstance)
                .map(Deployment.class::cast)
                .map(deployment -> deployment
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .getFirst())
                .findAny()
                .orElseThrow()
                .getImage();
    }
}
