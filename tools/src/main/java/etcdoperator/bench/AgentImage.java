package etcdoperator.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The agent as its image has it, Java and options and all, but without a container around it. */
final class AgentImage {
    private final Path root;
    private final Path options;

    /** @param root the image's file system, as packaging/build-image leaves it */
    AgentImage(Path root, Path folder) throws IOException {
        this.root = root;
        // They name files as they are called in the image.
        String text = Files.readString(root.resolve("app/agent.options"));
        this.options = Files.writeString(folder.resolve("agent.options"), text.replace("=/app/", "=" + root + "/app/"));
    }

    /** As the operator's Jobs start it. */
    List<String> command(String subcommand) {
        return new ArrayList<>(List.of(
                root.resolve("opt/java/bin/java").toString(),
                "@" + options,
                "-jar",
                root.resolve("app/etcd-operator.jar").toString(),
                subcommand,
                "--http-port=0"));
    }
}
