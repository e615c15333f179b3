package etcdoperator.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class VersionPathTest {
    @ParameterizedTest
    @CsvFileSource(resources = "/version-path.csv", delimiter = '|', useHeadersInDisplayName = true)
    void oneMinorAtATimeFromAVersionThatIsReady(String from, String to, @Nullable String refusal) {
        Optional<String> actual = VersionPath.refusal(EtcdVersion.parse(from), EtcdVersion.parse(to));

        if (refusal == null) {
            assertThat(actual).isEmpty();
        } else {
            assertThat(actual).hasValueSatisfying(text -> assertThat(text).contains(refusal));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "3.5.35, 3.4.23, 3.4.0, true",
        "3.5.35, 3.4.23, 3.5.0, false",
        "3.4.23, 3.3.27, 3.3.0, true",
        "3.4.23, 3.3.27, 3.4.0, false",
        "3.6.16, 3.5.35, 3.5.0, true"
    })
    void anUpgradeMayBeTakenBackUntilAllMembersHaveIt(String from, String to, String clusterVersion, boolean may) {
        assertThat(VersionPath.refusal(
                                EtcdVersion.parse(from), EtcdVersion.parse(to), EtcdVersion.parse(clusterVersion))
                        .isEmpty())
                .isEqualTo(may);
    }

    @Test
    void anotherMajorIsAnotherCluster() {
        assertThat(VersionPath.refusal(EtcdVersion.parse("3.7.3"), EtcdVersion.parse("4.0.0")))
                .contains("3.7.3 cannot go to 4.0.0, another major version: create a new cluster");
    }
}
