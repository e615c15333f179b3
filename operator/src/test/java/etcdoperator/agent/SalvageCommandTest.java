package etcdoperator.agent;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.agent.AgentTrial.Result;
import etcdoperator.agent.disk.DiskSurvey;
import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.ExitCodes;
import etcdoperator.domain.MemberId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.stream.Stream;
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
    void allOfTheLogIsTaken() throws IOException {
        disk("c-1").entries(1, 2, 40).state(1, 30).entries(2, 41, 50);
        Result result = salvage("c-1");
        assertThat(result.exitCode()).as(result.message()).isZero();
        assertThat(result.report().source()).isEqualTo("c-1");
        assertThat(result.message()).contains("claim c-1 goes to term 2 index 50, of which 20 entries were not known");
        assertThat(DiskSurvey.of(target.resolve("restore/copy")).doubtful()).isZero();
        assertThat(target.resolve("restore/salvaged")).hasContent("51");
    }

    @Test
    void whenItWasWrittenIsTold() throws IOException {
        MemberDisk disk = disk("c-0").entries(1, 2, 90);
        Instant written = Instant.parse("2026-01-01T00:00:00Z");
        Files.setLastModifiedTime(disk.segment(), FileTime.from(written));
        assertThat(salvage("c-0").report().time()).isEqualTo(written);
    }

    @Test
    void theLaterTermGoesFurther() {
        disk("c-0").entries(1, 2, 90);
        disk("c-1").entries(1, 2, 40).entries(2, 41, 50);
        disk("c-2").entries(1, 2, 40).entries(2, 41, 49);
        assertThat(Stream.of("c-0", "c-1", "c-2")
                        .map(claim -> survey(claim).report())
                        .max(AgentReport.BY_LOG)
                        .map(AgentReport::source))
                .contains("c-1");
    }

    @Test
    void whoVotesIsToldOfALearnersDiskToo() {
        disk("c-0").change(1, 2, 0, 0xb0).entries(1, 3, 9);
        new MemberDisk(folder.resolve("c-1"))
                .change(1, 1, 0, 0xa0)
                .change(1, 2, 3, MemberDisk.MEMBER)
                .entries(1, 3, 9);
        assertThat(survey("c-0").report().voters()).containsExactlyInAnyOrder(id(MemberDisk.MEMBER), "b0");
        assertRefused(survey("c-1"), "claim c-1 is of a learner");
        Result learner = survey("c-1", "--voters-only=true");
        assertThat(learner.exitCode()).as(learner.message()).isZero();
        assertThat(learner.report().voters()).containsExactly("a0");
        assertRefused(survey("c-2", "--voters-only=true"), "claim c-2 holds no data of etcd");
    }

    private static String id(long member) {
        return new MemberId(member).toString();
    }

    @Test
    void aSpoiltDiskIsRefused() throws IOException {
        MemberDisk.flip(disk("c-0").entries(1, 2, 90).segment(), 300);
        Files.write(disk("c-2").entries(1, 2, 60).database(), new byte[9000]);
        assertRefused(survey("c-0"), "claim c-0 has a damaged log");
        assertRefused(salvage("c-0"), "claim c-0 has a damaged log");
        assertRefused(survey("c-1"), "claim c-1 holds no data of etcd");
        assertRefused(survey("c-2"), "claim c-2 has a damaged database");
        assertRefused(salvage("c-2"), "claim c-2 has a damaged database");
    }

    private static void assertRefused(Result result, String why) {
        assertThat(result.exitCode()).isEqualTo(ExitCodes.FATAL);
        assertThat(result.message()).contains(why, "name the claim of another member, or restore a backup");
    }

    @Test
    void anotherAttemptBeginsAnew() {
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

    private Result survey(String claim, String... more) {
        return agent.run(
                new SurveyCommand(),
                Stream.concat(Stream.of("--claim=" + claim, "--from=" + folder.resolve(claim)), Stream.of(more))
                        .toArray(String[]::new));
    }

    private Result salvage(String claim) {
        return agent.run(
                new SalvageCommand(),
                "--claim=" + claim,
                "--from=" + folder.resolve(claim),
                "--to=" + target,
                "--uid=u");
    }
}
