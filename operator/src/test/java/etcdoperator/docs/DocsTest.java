package etcdoperator.docs;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.cluster.view.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the pages name must be there, and what users may be told of must be on a page. */
class DocsTest {
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:|#)([^)#]+)");
    private static final Pattern SOURCE = Pattern.compile("`((?:[a-z]+/)+[A-Z]\\w+\\.java)`");
    private static final Path SOURCES = Path.of("operator/src/main/java/etcdoperator");

    static List<Path> pages() throws IOException {
        List<Path> pages =
                new ArrayList<>(List.of(Path.of("README.md"), Path.of("CONTRIBUTING.md"), Path.of("CHANGELOG.md")));
        try (Stream<Path> docs = Files.list(Path.of("docs"))) {
            docs.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        return pages;
    }

    @ParameterizedTest
    @MethodSource("pages")
    void linksLeadSomewhere(Path page) throws IOException {
        Path folder = page.toAbsolutePath().getParent();
        assertThat(matches(LINK, Files.readString(page)))
                .allSatisfy(link -> assertThat(folder.resolve(link)).exists());
    }

    @ParameterizedTest
    @MethodSource("pages")
    void sourcesThatAreNamedAreThere(Path page) throws IOException {
        assertThat(matches(SOURCE, Files.readString(page)))
                .allSatisfy(file -> assertThat(SOURCES.resolve(file)).exists());
    }

    @ParameterizedTest
    @EnumSource
    void everyProblemHasItsRow(Problem.Kind kind) throws IOException {
        assertThat(Files.readString(Path.of("docs/troubleshooting.md"))).contains("| `" + kind.name() + "` |");
    }

    @Test
    void theReadmeShowsWhatTheSampleHas() throws IOException {
        String sample = Files.readString(Path.of("config/samples/etcd_v1alpha1_etcdcluster.yaml"));
        String manifest =
                Files.readString(Path.of("README.md")).split("```yaml\n")[1].split("```")[0];
        assertThat(sample).startsWith(manifest);
    }

    private static List<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).toList();
    }
}
