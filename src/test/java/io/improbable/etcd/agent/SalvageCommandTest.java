package io.improbable.etcd.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.improbable.etcd.agent.AgentTrial.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose disk is taken. */
class SalvageCommandTest {
    @TempDir
    Path folder;

    private AgentTrial agent;
    private Path target;

    @BeforeEach
    void lay() throws IOException {
        agent = new AgentTrial(folder);
        target = Files.createDirectory(folder.resolve("target"));
    }

    @Test
    void theLaterTermGoesFurther() throws IOException {
        disk("c-0").entries(1, 2, 90);
        disk("c-1").entries(1, 2, 40).entries(2, 41, 50);
        disk("c-2").entries(1, 2, 40).entries(2, 41, 49);
        Result result = salvage("c-0", "c-1", "c-2");
        assertThat(result.exitCode()).as(result.message()).isZero();
        assertThat(result.report().source()).isEqualTo("c-1");
        assertThat(result.message()).contains("claim c-1 goes furthest, to term 2 index 50");
        assertThat(DiskSurvey.of(target.resolve("restore/copy")).doubtful()).isZero();
        assertThat(target.resolve("restore/salvaged")).hasContent("50");
    }

    @Test
    void whenItWasWrittenIsTold() throws IOException {
        MemberDisk disk = disk("c-0").entries(1, 2, 90);
        Instant written = Instant.parse("2026-01-01T00:00:00Z");
        Files.setLastModifiedTime(disk.segment(), FileTime.from(written));
        AgentReport report = salvage("c-0").report();
        assertThat(report.time()).isEqualTo(written);
        assertThat(report.etcdVersion()).isEqualTo("3.6.16");
    }

    @Test
    void aSpoiltDiskIsPassedOver() throws IOException {
        MemberDisk.flip(disk("c-0").entries(1, 2, 90).segment(), 300);
        disk("c-1").entries(1, 2, 40);
        Files.write(disk("c-2").entries(1, 2, 60).database(), new byte[9000]);
        Result result = salvage("c-0", "c-1", "c-2");
        assertThat(result.exitCode()).as(result.message()).isZero();
        assertThat(result.report().source()).isEqualTo("c-1");
        assertThat(result.message()).contains("not used: claim c-0 has a damaged log", "claim c-2 has a damaged data");
    }

    @Test
    void nothingIsMadeOfSpoiltDisks() throws IOException {
        MemberDisk.flip(disk("c-0").entries(1, 2, 90).segment(), 300);
        Result result = salvage("c-0", "c-1");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.message())
                .contains(
                        "no member's disk can be used", "claim c-1 holds no data of etcd", "restore a backup instead");
    }

    @Test
    void anotherAttemptBeginsAnew() throws IOException {
        disk("c-0").entries(1, 2, 90);
        salvage("c-0");
        assertThat(salvage("c-0").exitCode()).isZero();
    }

    @Test
    void aVolumeWithOthersDataIsLeftAlone() throws IOException {
        disk("c-0").entries(1, 2, 90);
        Files.createDirectories(target.resolve("data/member"));
        assertThat(salvage("c-0").message()).contains("the volume holds data already");
        assertThat(target.resolve("data/member")).exists();
    }

    private MemberDisk disk(String claim) {
        return MemberDisk.ofVoter(folder.resolve(claim));
    }

    private Result salvage(String... claims) {
        List<String> flags = new ArrayList<>(List.of("--to=" + target, "--uid=u", "--etcd-version=3.6.16"));
        for (String claim : claims) {
            flags.add("--survivor=" + claim + "=" + folder.resolve(claim));
        }
        return agent.run(new SalvageCommand(), flags.toArray(String[]::new));
    }
}
