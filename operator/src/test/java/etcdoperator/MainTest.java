package etcdoperator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MainTest {
    @Test
    void whoAsksForNoRoleIsToldOfAll() {
        assertThat(Main.usage())
                .contains("operator   Tends the EtcdClusters of a Kubernetes cluster.")
                .contains("backup", "finish", "drill");
    }

    @Test
    void everyRoleIsMade() {
        assertThat(Main.roles().values())
                .allSatisfy(role -> assertThat(role.get()).isNotNull());
    }
}
