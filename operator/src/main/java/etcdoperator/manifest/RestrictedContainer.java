package etcdoperator.manifest;

import etcdoperator.api.PeerImage;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import java.util.List;

/**
 * What all containers of this operator have in common: no privileges, as Pod Security "restricted" requires, and
 * arguments that the program gets as they are written here.
 */
final class RestrictedContainer {
    private RestrictedContainer() {}

    static ContainerBuilder of(String name, PeerImage image, String command, List<String> arguments) {
        return of(name, image.reference(), image.pullPolicy().toString(), List.of(command), arguments);
    }

    static ContainerBuilder of(
            String name, String image, String pullPolicy, List<String> command, List<String> arguments) {
        return new ContainerBuilder()
                .withName(name)
                .withImage(image)
                .withImagePullPolicy(pullPolicy)
                .withCommand(command)
                .withArgs(arguments.stream().map(RestrictedContainer::literal).toList())
                // A program says why it gives up in its last lines; this puts them where the operator can read them.
                .withTerminationMessagePolicy("FallbackToLogsOnError")
                .withNewSecurityContext()
                .withAllowPrivilegeEscalation(false)
                .withReadOnlyRootFilesystem(true)
                .withNewCapabilities()
                .withDrop("ALL")
                .endCapabilities()
                .endSecurityContext();
    }

    /**
     * Kubernetes replaces $(NAME) in arguments by variables of the container, among them secrets, and $$ by one $.
     * Arguments contain what users wrote. An argument without either stays as it is, so that templates do not change.
     */
    private static String literal(String argument) {
        boolean changedByKubernetes = argument.contains("$(") || argument.contains("$$");
        return changedByKubernetes ? argument.replace("$", "$$") : argument;
    }
}
