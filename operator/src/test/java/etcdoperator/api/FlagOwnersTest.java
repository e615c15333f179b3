package etcdoperator.api;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.manifest.flags.FlagTable;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of the CRD cannot ask the table of flags, so they are held against it. */
class FlagOwnersTest {
    static Stream<FlagTable.Row> rows() {
        return FlagTable.rows().stream();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void extraArgsAcceptWhatTheTableLeavesToThem(FlagTable.Row row) {
        assertThat(owner(row.name())).isEqualTo(row.setBy());
        if (row.lostItsPrefix()) {
            assertThat(owner("experimental-" + row.name())).isEqualTo(row.setBy());
        }
    }

    /** As the rules of the CRD have it. */
    private static String owner(String flag) {
        if (Stream.of(EtcdOptionsRules.IDENTITY, EtcdOptionsRules.MEMBERSHIP, EtcdOptionsRules.TRUST)
                .anyMatch(flag::matches)) {
            return "operator";
        }
        if (!EtcdOptionsRules.FIELDS.contains("'" + flag + "'")) {
            return "extraArgs";
        }
        String field = EtcdOptionsRules.FIELDS_MESSAGE.split("must not have " + flag + ": use spec.etcd.", 2)[1];
        return field.substring(0, field.indexOf('\''));
    }
}
