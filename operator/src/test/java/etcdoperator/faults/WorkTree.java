package etcdoperator.faults;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The sources of all modules. Classes are looked up by their simple names, so that a move changes no fault. */
final class WorkTree {
    static final String FAULTS = "faults";
    private static final Set<String> SKIPPED = Set.of("target", ".git");

    private final Path root;
    private final List<Path> sources;

    private WorkTree(Path root, List<Path> sources) {
        this.root = root;
        this.sources = sources;
    }

    /** A file with the fault in it. */
    record Planted(Path file, String content) {}

    /** The root is the nearest folder at or above this one that has a list of faults. */
    static WorkTree around(Path folder) throws IOException {
        Path root = folder.toAbsolutePath().normalize();
        while (!Files.isDirectory(root.resolve(FAULTS)) || !Files.exists(root.resolve("Makefile"))) {
            root = root.getParent();
            if (root == null) {
                throw new IOException("no folder above " + folder + " has a list of faults");
            }
        }
        return new WorkTree(root, sources(root));
    }

    Path root() {
        return root;
    }

    List<Fault> faults() throws IOException {
        return Fault.all(root.resolve(FAULTS));
    }

    /** @return the changed file; fails unless the text before the change is found exactly once */
    Planted plant(Fault fault) throws IOException, RottenFaultException {
        List<Path> files = fault.isJava()
                ? named(fault.text().file())
                : List.of(root.resolve(fault.text().file()));
        List<Planted> places = new ArrayList<>();
        for (Path file : files) {
            var snippet = new Snippet(Files.readString(file));
            for (Snippet.Place place : snippet.find(fault.text().before())) {
                places.add(
                        new Planted(file, snippet.replaced(place, fault.text().after())));
            }
        }
        if (places.size() != 1) {
            throw new RottenFaultException("the text before is found %d times in %s"
                    .formatted(places.size(), fault.text().file()));
        }
        return places.getFirst();
    }

    /** The test classes of a simple name; kinds of a cluster may each have one. */
    List<Path> tests(Fault fault) throws RottenFaultException {
        List<Path> tests = named(fault.text().foundBy()).stream()
                .filter(file -> file.toString().contains("/src/test/"))
                .toList();
        if (tests.isEmpty()) {
            throw new RottenFaultException(
                    "there is no test class " + fault.text().foundBy());
        }
        return tests;
    }

    private List<Path> named(String simpleName) {
        return sources.stream()
                .filter(file -> file.getFileName().toString().equals(simpleName + ".java"))
                .toList();
    }

    /** The folder with the pom that a source belongs to. */
    static Path module(Path source) {
        Path folder = source;
        while (!folder.getFileName().toString().equals("src")) {
            folder = folder.getParent();
        }
        return folder.getParent();
    }

    static String className(Path source) {
        Path javaRoot = module(source).resolve("src");
        Path inside = javaRoot.relativize(source);
        String path = inside.subpath(2, inside.getNameCount()).toString();
        return path.substring(0, path.length() - ".java".length()).replace('/', '.');
    }

    private static List<Path> sources(Path root) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return SKIPPED.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".java")) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return List.copyOf(found);
    }
}
