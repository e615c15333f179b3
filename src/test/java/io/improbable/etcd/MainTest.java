package io.improbable.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MainTest {
    @Test
    void whoAsksForOneRoleIsNotKeptWaitingByTheOthers() {
        assertThat(Main.commands(List.of("finish", "--help")).getSubcommands()).containsOnlyKeys("finish");
    }

    @Test
    void whoAsksForNoneIsToldOfAll() {
        assertThat(Main.commands(List.of()).getSubcommands()).containsKeys("operator", "backup", "finish", "drill");
        assertThat(Main.commands(List.of("--help")).getUsageMessage()).contains("finish", "operator");
        assertThat(Main.commands(List.of("finsh")).getUsageMessage()).contains("finish", "operator");
    }
}
