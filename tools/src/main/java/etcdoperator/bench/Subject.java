package etcdoperator.bench;

import static java.util.stream.Collectors.joining;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** Who brings etcd up. */
enum Subject {
    OPERATOR("operator"),
    PLAIN("plain StatefulSet");

    private final String words;

    Subject(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }

    /** What a user would apply, for a cluster of this name and size. */
    List<HasMetadata> manifest(KubernetesClient client, String namespace, String name, int size) throws IOException {
        String template = Files.readString(Path.of("bench", "manifests", file()));
        String initialCluster = IntStream.range(0, size)
                .mapToObj(i -> "%s-%d=http://%s-%d.%s.%s.svc:2380".formatted(name, i, name, i, name, namespace))
                .collect(joining(","));
        String text = template.replace("INITIAL_CLUSTER", initialCluster)
                .replace("NAMESPACE", namespace)
                .replaceAll("(?<!POD_)NAME\\b", name)
                .replace("SIZE", Integer.toString(size));
        List<HasMetadata> objects = client.load(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                .items();
        objects.forEach(object -> object.getMetadata().setNamespace(namespace));
        return objects;
    }

    private String file() {
        return switch (this) {
            case OPERATOR -> "operator.yaml";
            case PLAIN -> "plain.yaml";
        };
    }
}
