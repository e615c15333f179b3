package etcdoperator.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The operator on the test bed: built with a fault from a copy of the work tree, and put right again afterwards. */
final class Installation implements AutoCloseable {
    private static final String INSTALL =
            "make --no-print-directory image manifests AOT=off && packaging/install-operator testbed";

    private final Path root;

    private Installation(Path root) {
        this.root = root;
    }

    static Installation with(WorkTree.Planted planted, Path root, Path folder)
            throws IOException, InterruptedException, RottenFaultException {
        Path copy = folder.resolve("tree");
        run(List.of("mkdir", "-p", copy.toString()), root, folder);
        // With what is built already, so that little is built anew.
        run(
                List.of(
                        "bash",
                        "-c",
                        "tar -c --exclude=.git --exclude='target/faults' . | tar -x -C \"$0\"",
                        copy + ""),
                root,
                folder);
        Files.writeString(copy.resolve(root.relativize(planted.file())), planted.content());
        var installation = new Installation(root);
        try {
            run(List.of("bash", "-c", INSTALL), copy, folder);
        } catch (RottenFaultException e) {
            installation.close();
            throw e;
        }
        return installation;
    }

    @Override
    public void close() throws IOException, InterruptedException, RottenFaultException {
        run(List.of("bash", "-c", INSTALL), root, root.resolve("target/faults"));
    }

    private static void run(List<String> command, Path directory, Path output)
            throws IOException, InterruptedException, RottenFaultException {
        Path log = output.resolve("install.log");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        if (process.waitFor() != 0) {
            throw new RottenFaultException("%s failed: see %s".formatted(command, log));
        }
    }
}
