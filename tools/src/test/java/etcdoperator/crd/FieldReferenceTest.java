package etcdoperator.crd;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FieldReferenceTest {
    @Test
    void docsReferenceIsUpToDate() {
        assertThat(FieldReference.FILE)
                .as("docs/reference.md is stale: run 'make reference' and commit it")
                .hasContent(FieldReference.text());
    }
}
