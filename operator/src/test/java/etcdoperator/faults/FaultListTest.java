package etcdoperator.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The list must not rot: each fault still has its place, and the class that must find it. */
class FaultListTest {
    @TestFactory
    Stream<DynamicTest> eachFaultFitsTheSources() throws Exception {
        WorkTree tree = WorkTree.around(Path.of(""));
        return tree.faults().stream()
                .map(fault -> DynamicTest.dynamicTest(fault.name(), () -> {
                    assertThat(tree.plant(fault).content()).isNotEmpty();
                    assertThat(tree.tests(fault)).isNotEmpty();
                    assertThat(fault.isJava() || fault.needs() == Fault.Needs.OPERATOR)
                            .as("what is no Java is tried with an installed operator")
                            .isTrue();
                }));
    }

    @Test
    void piecesAreFoundWhateverTheirLineBreaks() {
        var snippet = new Snippet("int a = one(\n        two)\n        .three();\nint b = 1;");

        assertThat(snippet.find("one(two).three()"))
                .singleElement()
                .satisfies(place ->
                        assertThat(snippet.replaced(place, "four()")).isEqualTo("int a = four();\nint b = 1;"));
        assertThat(snippet.find("int")).hasSize(2);
        assertThat(snippet.find("five")).isEmpty();
    }
}
