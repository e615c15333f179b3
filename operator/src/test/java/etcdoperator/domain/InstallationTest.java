package etcdoperator.domain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstallationTest {
    @Test
    void readsWhatItWrites() {
        var installation = new Installation("etcd-operator-system", "etcd-operator");
        assertThat(installation).hasToString("etcd-operator-system/etcd-operator");
        assertThat(Installation.tryParse(installation.toString())).contains(installation);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a/", "/a", "a/b/c", "A/b", "a b/c", "-a/b"})
    void refusesWhatNamesNoInstallation(String text) {
        assertThat(Installation.tryParse(text)).isEmpty();
    }

    @Test
    void withoutAReleaseNameItIsTheDeploymentThatCounts() {
        assertThat(Installation.of("ns", "team", "op-6d5f8c7b9-x2x4z")).hasToString("ns/team");
        assertThat(Installation.of("ns", "", "my-etcd-operator-6d5f8c7b9-x2x4z"))
                .hasToString("ns/my-etcd-operator");
    }

    /** Each of its pods would be another installation, and refuse what the one before has managed. */
    @Test
    void theNameOfAPodNeverCounts() {
        assertThat(Installation.of("ns", "", "local")).hasToString("ns/etcd-operator");
        assertThat(Installation.of("ns", " ", "operator-0")).hasToString("ns/etcd-operator");
    }
}
