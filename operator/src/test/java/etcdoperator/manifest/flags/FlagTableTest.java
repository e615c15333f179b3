package etcdoperator.manifest.flags;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.domain.EtcdVersion;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class FlagTableTest {
    @Test
    void aRowHasACellForEachLine() {
        assertThat(FlagTable.rows())
                .hasSizeGreaterThan(130)
                .allSatisfy(row -> assertThat(row.cells())
                        .hasSameSizeAs(EtcdVersion.TESTED_LINES)
                        .isSubsetOf("yes", "exp", "both", "gate", "-"))
                .allSatisfy(row -> assertThat(row.cells()).containsAnyOf("yes", "exp", "both", "gate"));
    }

    @Test
    void eachNameHasOneRow() {
        assertThat(FlagTable.rows())
                .extracting(row -> row.name().toLowerCase(Locale.ROOT))
                .doesNotHaveDuplicates()
                .isSorted();
    }

    @Test
    void aGateIsNamed() {
        assertThat(FlagTable.rows())
                .filteredOn(row -> row.cells().contains("gate"))
                .allSatisfy(row -> assertThat(row.more()).matches("[A-Z]\\w+"));
    }
}
