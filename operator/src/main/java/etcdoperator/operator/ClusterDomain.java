package etcdoperator.operator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** What the full names of services end in. */
final class ClusterDomain {
    private static final String USUAL = "cluster.local";
    private static final Path RESOLVER = Path.of("/etc/resolv.conf");

    private ClusterDomain() {}

    /** As the resolver of this pod has it. */
    static String find() {
        try {
            return of(Files.readAllLines(RESOLVER));
        } catch (IOException e) {
            return USUAL;
        }
    }

    static String of(List<String> resolver) {
        return resolver.stream()
                .filter(line -> line.startsWith("search "))
                .flatMap(line -> Arrays.stream(line.split("\\s+")))
                .filter(suffix -> suffix.startsWith("svc."))
                .flatMap(suffix -> Stream.of(suffix.substring("svc.".length())))
                .findFirst()
                .orElse(USUAL);
    }
}
