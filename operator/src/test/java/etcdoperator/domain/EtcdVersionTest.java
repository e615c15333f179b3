package etcdoperator.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EtcdVersionTest {
    /** Images are called so: without its suffix a prerelease would be another version, or none. */
    @ParameterizedTest
    @CsvSource({
        "3.4.40,false",
        "3.5.30,false",
        "3.5.31,true",
        "3.5.35,true",
        "3.6.11,false",
        "3.6.12,true",
        "3.7.0,true"
    })
    void learnersStayLearnersWhenTheirAddressChanges(String version, boolean stay) {
        assertThat(EtcdVersion.parse(version).keepsLearners()).isEqualTo(stay);
    }

    @ParameterizedTest
    @CsvSource({"3.6.16,3.6.16", "3.4.0,3.4.0", "3.7.0-rc.1,3.7.0-rc.1", "3.7.0-alpha.0,3.7.0-alpha.0"})
    void aPrereleaseKeepsItsSuffix(String text, String version) {
        assertThat(EtcdVersion.parse(text)).hasToString(version);
        assertThat(EtcdVersion.parse(text)).isEqualTo(EtcdVersion.parse(version));
    }

    @ParameterizedTest
    @CsvSource({"3.6.0+git,3.6.0", "3.7.0-rc.1+git.5,3.7.0-rc.1"})
    void whatSaysHowItWasBuiltDoesNotCount(String text, String version) {
        assertThat(EtcdVersion.parse(text)).hasToString(version);
    }

    /** Others tag their images with a revision of their own, of which the etcd in them knows nothing. */
    @ParameterizedTest
    @CsvSource({
        "3.6.16,3.6.16,true",
        "3.6.16,3.6.16-r2,true",
        "3.7.0-rc.0,3.7.0-rc.0,true",
        "3.7.0-rc.0,3.7.0-rc.1,false",
        "3.7.0-rc.0,3.7.0,false",
        "3.6.15,3.6.16-r2,false"
    })
    void whatAMemberSaysMayLackTheSuffixOfItsImage(String said, String tag, boolean same) {
        assertThat(EtcdVersion.parse(said).mayBe(EtcdVersion.parse(tag))).isEqualTo(same);
    }

    @Test
    void aPrereleaseIsNotTheRelease() {
        assertThat(EtcdVersion.parse("3.7.0-rc.0")).isNotEqualTo(EtcdVersion.parse("3.7.0"));
        assertThat(EtcdVersion.parse("3.7.0-rc.0")).isNotEqualTo(EtcdVersion.parse("3.7.0-rc.1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "3", "3.6", "v3.6.16", "3.6.16.1", "3.x.1", "latest"})
    void anythingElseIsRefusedInWords(String text) {
        assertThatThrownBy(() -> EtcdVersion.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'%s' is not a version of etcd: expected 3.x.y", text);
    }

    @ParameterizedTest
    @CsvSource({
        "3.5.9,3.5.10",
        "3.5.35,3.6.0",
        "3.9.0,3.10.0",
        "2.9.9,3.0.0",
        "3.6.16,3.7.0-alpha.0",
        "3.7.0-alpha.0,3.7.0-beta.0",
        "3.7.0-rc.0,3.7.0",
        "3.7.0-rc.2,3.7.0-rc.10",
        "3.7.0-rc,3.7.0-rc.0",
        "3.7.0-1,3.7.0-rc"
    })
    void numbersAreComparedAsNumbersAndPrereleasesComeFirst(String lower, String higher) {
        assertThat(EtcdVersion.parse(lower)).isLessThan(EtcdVersion.parse(higher));
        assertThat(EtcdVersion.parse(higher)).isGreaterThan(EtcdVersion.parse(lower));
        assertThat(EtcdVersion.parse(lower)).isEqualByComparingTo(EtcdVersion.parse(lower));
    }

    @ParameterizedTest
    @CsvSource({
        "3.4.23,false",
        "3.4.28,false",
        "3.4.29,true",
        "3.5.0,false",
        "3.5.10,false",
        "3.5.11,true",
        "3.5.35,true",
        "3.6.0,true",
        "3.6.0-rc.0,true",
        "3.7.3,true"
    })
    void readyzCameInTheMiddleOfTwoLines(String version, boolean there) {
        assertThat(EtcdVersion.parse(version).hasReadyz()).isEqualTo(there);
    }

    @ParameterizedTest
    @CsvSource({
        "3.3.27,false",
        "3.4.0,true",
        "3.5.35,true",
        "3.6.16,true",
        "3.7.3,true",
        "3.7.0-rc.0,true",
        "3.8.0,false"
    })
    void fourLinesAreTested(String version, boolean tested) {
        assertThat(EtcdVersion.parse(version).isTestedLine()).isEqualTo(tested);
    }

    @Test
    void membersAgreeOnAMinor() {
        assertThat(EtcdVersion.parse("3.6.16").clusterVersion()).hasToString("3.6.0");
        assertThat(EtcdVersion.parse("3.7.0-rc.0").clusterVersion()).hasToString("3.7.0");
    }

    @Test
    void peopleNameALineByItsMinor() {
        assertThat(EtcdVersion.parse("3.6.16").line()).isEqualTo("3.6");
    }
}
