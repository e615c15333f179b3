package etcdoperator.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WordsOfTheDomainTest {
    @ParameterizedTest
    @CsvSource({
        // voters, needed, can spare
        "1,1,0",
        "2,2,0",
        "3,2,1",
        "4,3,1",
        "5,3,2",
        "6,4,2",
        "7,4,3"
    })
    void aQuorumIsMoreThanHalf(int voters, int needed, int spare) {
        var quorum = new Quorum(voters);
        assertThat(quorum.needed()).isEqualTo(needed);
        assertThat(quorum.canSpare()).isEqualTo(spare);
        assertThat(quorum.metBy(needed)).isTrue();
        assertThat(quorum.metBy(needed - 1)).isFalse();
    }

    @Test
    void nobodyIsNoQuorum() {
        assertThat(new Quorum(0).metBy(0)).isFalse();
        assertThat(new Quorum(0).metBy(1)).isFalse();
        assertThat(new Quorum(0).canSpare()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"c-0,c,0", "my-cluster-12,my-cluster,12", "a-1-0,a-1,0", "c-999999999,c,999999999"})
    void aPeerIsAClusterAndANumber(String name, String cluster, int ordinal) {
        assertThat(PeerName.parse(name))
                .isEqualTo(new PeerName(cluster, ordinal))
                .hasToString(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "c", "c-", "-1", "c-x", "c-01", "c-+1", "c--", "c-0-x7k2f", "c-9999999999"})
    void whatIsNoPeerNameIsNoneAtAll(String name) {
        assertThat(PeerName.tryParse(name)).isEmpty();
        assertThatThrownBy(() -> PeerName.parse(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected CLUSTER-ORDINAL");
    }

    @Test
    void peersAreInTheOrderOfTheirNumbers() {
        assertThat(Stream.of("c-10", "b-3", "c-9", "c-0").map(PeerName::parse).sorted())
                .extracting(PeerName::toString)
                .containsExactly("b-3", "c-0", "c-9", "c-10");
    }

    @Test
    void idsAreWrittenAsEtcdctlPrintsThem() {
        assertThat(MemberId.parse("8e9e05c52164694d"))
                .isEqualTo(new MemberId(0x8e9e05c52164694dL))
                .hasToString("8e9e05c52164694d");
        assertThat(ClusterId.parse("cdf818194e3a8c32"))
                .isEqualTo(new ClusterId(0xcdf818194e3a8c32L))
                .hasToString("cdf818194e3a8c32");
    }

    @Test
    void idsAreTextInJson() throws Exception {
        var json = new ObjectMapper();
        assertThat(json.writeValueAsString(new MemberId(-1))).isEqualTo("\"ffffffffffffffff\"");
        assertThat(json.readValue("\"ffffffffffffffff\"", ClusterId.class)).isEqualTo(new ClusterId(-1));
        assertThat(json.writeValueAsString(PeerName.parse("c-1"))).isEqualTo("\"c-1\"");
        assertThat(json.readValue("\"3.6.16\"", EtcdVersion.class)).isEqualTo(new EtcdVersion(3, 6, 16));
    }

    @Test
    void aClusterIsFoundByNamespaceAndName() {
        assertThat(new ClusterKey("ns", "c")).hasToString("ns/c");
    }
}
