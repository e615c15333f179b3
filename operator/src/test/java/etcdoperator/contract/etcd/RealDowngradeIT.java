package etcdoperator.contract.etcd;

import static etcdoperator.contract.etcd.EtcdStage.NAMES;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.domain.EtcdVersion;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** How data is made fit for the minor below, on the lines that can do so. */
@ParameterizedClass
@CsvSource({"3.6.16,3.5,3.4", "3.7.3,3.6,3.5"})
class RealDowngradeIT extends ProcessTrial {
    @Parameter(1)
    String oneBelow;

    @Parameter(2)
    String twoBelow;

    @Test
    void everyMembersDataFollowsTheTargetAndComesBack() throws EtcdException {
        formCluster();
        String own = EtcdVersion.parse(version).clusterVersion().toString();
        awaitStorage(own);
        assertThat(any().status(DEADLINE).downgrade()).isEmpty();
        any().enableDowngrade(oneBelow, DEADLINE);
        assertThat(any().status(DEADLINE).downgrade()).contains(oneBelow + ".0");
        any().enableDowngrade(oneBelow, DEADLINE);
        awaitStorage(oneBelow + ".0");
        stage.client("b").enableDowngrade(oneBelow, DEADLINE);
        for (String name : NAMES) {
            assertThat(stage.client(name).status(DEADLINE).downgrade()).contains(oneBelow + ".0");
        }
        assertThat(stage.write("a", 1)).isTrue();
        stage.client("c").cancelDowngrade(DEADLINE);
        any().cancelDowngrade(DEADLINE);
        awaitStorage(own);
        assertThat(any().status(DEADLINE).downgrade()).isEmpty();
    }

    /** What a roll to the minor below needs is there without anybody's help. */
    @Test
    void loweringTheVersionWritesASnapshot() throws EtcdException {
        formCluster();
        awaitStorage(EtcdVersion.parse(version).clusterVersion().toString());
        any().enableDowngrade(oneBelow, DEADLINE);
        awaitStorage(oneBelow + ".0");
        for (String name : NAMES) {
            stage.eventually(name + " has written a snapshot", () -> processes.snapshots(name) > 0);
        }
    }

    @Test
    void onlyOneMinorDownIsEverAllowed() {
        formCluster();
        assertThat(kind(() -> any().enableDowngrade(twoBelow, DEADLINE))).isEqualTo(Kind.REFUSED);
        assertThat(kind(() -> any().enableDowngrade("3.9", DEADLINE))).isEqualTo(Kind.REFUSED);
        assertThat(kind(() -> any().enableDowngrade("nonsense", DEADLINE))).isEqualTo(Kind.REFUSED);
    }

    private void awaitStorage(String expected) {
        for (String name : NAMES) {
            stage.eventually(
                    name + "'s data is that of " + expected, () -> storage(name).equals(Optional.of(expected)));
        }
    }

    private Optional<String> storage(String name) {
        try {
            return stage.client(name).status(DEADLINE).storageVersion();
        } catch (EtcdException e) {
            return Optional.empty();
        }
    }

    private EtcdClient any() {
        return stage.client("a");
    }
}
