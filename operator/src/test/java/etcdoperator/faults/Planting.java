package etcdoperator.faults;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles the one changed class into a folder of its own, which comes first on the class path of the test. The work
 * tree and its classes stay as they are.
 */
final class Planting {
    private static final String CLASSPATH = "target/test-classpath";

    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();

    /** @param folder empty; gets the changed source and its classes */
    Path compile(WorkTree.Planted planted, Path folder) throws IOException, RottenFaultException {
        Path source = folder.resolve(planted.file().getFileName());
        Path classes = Files.createDirectories(folder.resolve("classes"));
        Files.writeString(source, planted.content());
        var messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-proc:none",
                    "-implicit:none",
                    "-parameters",
                    "-nowarn",
                    "-d",
                    classes.toString(),
                    "-cp",
                    classPath(WorkTree.module(planted.file())));
            if (!compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(source))
                    .call()) {
                throw new RottenFaultException("the fault does not compile: " + messages);
            }
        }
        return classes;
    }

    /** The classes and tests of a module, and all that they need; written by the script that starts this. */
    static String classPath(Path module) throws IOException {
        List<String> path = new ArrayList<>();
        path.add(module.resolve("target/test-classes").toString());
        path.add(module.resolve("target/classes").toString());
        path.add(Files.readString(module.resolve(CLASSPATH)).strip());
        return String.join(File.pathSeparator, path);
    }
}
