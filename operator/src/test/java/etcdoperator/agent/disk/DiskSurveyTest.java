package etcdoperator.agent.disk;

import static etcdoperator.agent.MemberDisk.MEMBER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.agent.MemberDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How far a log goes, and which disks nothing can be made of. */
class DiskSurveyTest {
    private static final int RESERVED = 100_000;

    @TempDir
    Path volume;

    @Test
    void aLogOfSeveralFilesGoesToItsLastEntry() throws IOException {
        disk().entries(1, 2, 9)
                .state(1, 4)
                .cut(10)
                .entries(2, 10, 20)
                .cut(21)
                .entries(2, 21, 22)
                .zeros(RESERVED);
        DiskSurvey survey = survey();
        assertThat(survey.last()).isEqualTo(new RaftPosition(2, 22));
        assertThat(survey.doubtful()).isEqualTo(18);
        assertThat(survey.state().getVote()).isEqualTo(MEMBER);
    }

    /** A later leader's entries take the place of those that nobody has agreed on. */
    @Test
    void whatWasOverwrittenDoesNotCount() throws IOException {
        disk().entries(1, 2, 30).entries(3, 12, 13).state(3, 12);
        assertThat(survey().last()).isEqualTo(new RaftPosition(3, 13));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 9, 400, 1999, 2030})
    void theEndMayBeMissing(int bytes) throws IOException {
        disk().entries(1, 2, 9).entry(1, 10, 2000).cutOff(bytes);
        assertThat(survey().last()).isEqualTo(new RaftPosition(1, 9));
    }

    /** A sector of the last record has not reached the disk. */
    @Test
    void theEndMayBeTorn() throws IOException {
        MemberDisk disk = disk().entries(1, 2, 9).entry(1, 10, 2000).cutOff(700).zeros(RESERVED);
        DiskSurvey survey = survey();
        assertThat(survey.last()).isEqualTo(new RaftPosition(1, 9));
        assertThat(survey.goodBytes()).isLessThan(Files.size(disk.segment()) - RESERVED);
    }

    @Test
    void onlyTheEndMayBeTorn() throws IOException {
        disk().entry(1, 2, 2000).cutOff(700).zeros(704).entries(1, 3, 4);
        assertUnusable("has a damaged log");
    }

    @Test
    void aFileThatAnotherFollowsMayNotBeTorn() throws IOException {
        disk().entry(1, 2, 2000).cutOff(700).cut(3).entries(1, 3, 4);
        assertUnusable("has a damaged log");
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 200, 300, 500})
    void aBitThatHasTurnedIsNoticed(int at) throws IOException {
        MemberDisk disk = disk().entries(1, 2, 9);
        MemberDisk.flip(disk.segment(), at);
        assertUnusable("has a damaged log");
    }

    /** The sum runs on from file to file: none can be exchanged for another. */
    @Test
    void aFileOfAnotherLogIsNoticed() throws IOException {
        MemberDisk disk = disk().entries(1, 2, 9).cut(10).entries(1, 10, 12);
        Path other = volume.resolve("other");
        MemberDisk others = MemberDisk.ofVoter(other).entries(2, 2, 9).cut(10).entries(2, 10, 12);
        Files.write(disk.segment(), Files.readAllBytes(others.segment()));
        assertUnusable("has a damaged log");
    }

    @Test
    void aMissingFileIsNoticed() throws IOException {
        MemberDisk disk = disk().entries(1, 2, 9).cut(10).entries(1, 10, 12);
        Path lost = disk.segment();
        disk.cut(13).entries(1, 13, 14);
        Files.delete(lost);
        assertUnusable("lacks a file of its log");
    }

    /** Old files go once a snapshot holds what is in them. */
    @Test
    void aLogMayBeginWithASnapshot() throws IOException {
        MemberDisk disk = disk().entries(1, 2, 9);
        Path first = disk.segment();
        disk.cut(10).entries(1, 10, 12).snapshot(1, 11, List.of(MEMBER, 2L), List.of(3L));
        Files.delete(first);
        assertThat(survey().last()).isEqualTo(new RaftPosition(1, 12));
        assertThat(survey().indexAlone()).isEqualTo(14);
    }

    @Test
    void aLogWithoutItsBeginningIsOfNoUse() throws IOException {
        MemberDisk disk = disk().entries(1, 2, 9);
        Path first = disk.segment();
        disk.cut(10).entries(1, 10, 12);
        Files.delete(first);
        assertUnusable("lacks the beginning of its log");
    }

    @Test
    void aSnapshotFromTheLeaderTakesThePlaceOfEntries() throws IOException {
        disk().entries(1, 2, 4)
                .snapshot(2, 100, List.of(MEMBER, 2L), List.of())
                .entries(2, 101, 102)
                .state(2, 101);
        assertThat(survey().last()).isEqualTo(new RaftPosition(2, 102));
    }

    /** They stay in the files, of a history that the leader's snapshot has ended. */
    @Test
    void entriesOfAnEarlierTermBehindALeadersSnapshotDoNotCount() throws IOException {
        overtake(disk().entries(1, 2, 30));
        DiskSurvey survey = survey();
        assertThat(survey.last()).isEqualTo(new RaftPosition(2, 20));
        assertThat(survey.doubtful()).isZero();
        assertThat(survey.indexAlone()).isEqualTo(22);

        Path copy = volume.resolve("copy");
        new DiskCopy(survey, copy).make();
        assertThat(DiskSurvey.of(copy).state().getCommit()).isEqualTo(20);
    }

    @Test
    void whatTheLeaderSentAfterItsSnapshotCounts() throws IOException {
        overtake(disk().entries(1, 2, 30)).entries(2, 21, 23).state(2, 22);
        assertThat(survey().last()).isEqualTo(new RaftPosition(2, 23));
        assertThat(survey().doubtful()).isEqualTo(1);
    }

    @Test
    void aRemovalOfAnEarlierTermBehindALeadersSnapshotDoesNotCount() throws IOException {
        overtake(disk().entries(1, 2, 24).change(1, 25, 1, MEMBER));
        assertThat(survey().last()).isEqualTo(new RaftPosition(2, 20));
    }

    /** The next leader's snapshot ends where this log, which it had not agreed to, went on. */
    private static MemberDisk overtake(MemberDisk disk) throws IOException {
        return disk.state(1, 10).snapshot(2, 20, List.of(MEMBER, 2L), List.of()).state(2, 20);
    }

    @Test
    void entriesThatDoNotFollowAreNoticed() throws IOException {
        disk().entries(1, 2, 4).entries(1, 6, 7);
        assertUnusable("lacks entries of its log between 4 and 6");
    }

    @Test
    void aLearnerIsRefused() throws IOException {
        new MemberDisk(volume).change(1, 1, 0, 2).change(1, 2, 3, MEMBER).entries(1, 3, 9);
        assertUnusable("is of a learner");
    }

    @Test
    void aLearnerByItsSnapshotIsRefused() throws IOException {
        disk().entries(1, 2, 9).snapshot(1, 9, List.of(2L), List.of(MEMBER));
        assertUnusable("is of a learner");
    }

    @Test
    void oneThatWasPromotedIsNot() throws IOException {
        new MemberDisk(volume)
                .change(1, 1, 0, 2)
                .change(1, 2, 3, MEMBER)
                .entries(1, 3, 9)
                .change(1, 10, 0, MEMBER);
        assertThat(survey().last()).isEqualTo(new RaftPosition(1, 10));
    }

    /** It tells who votes, though no cluster can be made of it. */
    @Test
    void aLearnerTellsWhoVotes() throws IOException {
        new MemberDisk(volume)
                .change(1, 1, 0, 2)
                .change(1, 2, 3, MEMBER)
                .entries(1, 3, 9)
                .change(1, 10, 3, 4);
        assertThat(DiskSurvey.ofAnyMember(volume.resolve("data")).voters()).containsExactly(2L);
    }

    @Test
    void aPromotionCountsBeforeItIsAgreedOn() throws IOException {
        disk().change(1, 2, 0, 2)
                .change(1, 3, 3, 4)
                .entries(1, 4, 9)
                .state(1, 9)
                .change(1, 10, 0, 4);
        assertThat(survey().voters()).containsExactlyInAnyOrder(MEMBER, 2L, 4L);
        assertThat(survey().doubtful()).isEqualTo(1);
    }

    @Test
    void aPromotionBeforeASnapshotCounts() throws IOException {
        MemberDisk disk = disk().entries(1, 2, 9);
        Path first = disk.segment();
        disk.cut(10).entries(1, 10, 12).snapshot(1, 11, List.of(MEMBER, 2L), List.of(3L));
        Files.delete(first);
        disk.change(1, 13, 0, 3);
        assertThat(survey().voters()).containsExactlyInAnyOrder(MEMBER, 2L, 3L);
    }

    @Test
    void oneThatWasRemovedIsRefused() throws IOException {
        disk().entries(1, 2, 9).change(1, 10, 1, MEMBER);
        assertUnusable("was removed from its cluster");
    }

    /** Unless the removal itself was overwritten. */
    @Test
    void aChangeThatWasOverwrittenDoesNotCount() throws IOException {
        disk().entries(1, 2, 9).change(1, 10, 1, MEMBER).entries(2, 10, 11);
        assertThat(survey().last()).isEqualTo(new RaftPosition(2, 11));
    }

    @Test
    void anEmptyVolumeIsRefused() {
        assertUnusable("holds no data of etcd");
    }

    /** All of it counts in the copy, and the original is as it was. */
    @Test
    void inTheCopyEverythingIsAgreedOn() throws IOException {
        disk().entries(1, 2, 9)
                .state(1, 4)
                .cut(10)
                .entries(2, 10, 20)
                .entry(2, 21, 2000)
                .cutOff(700)
                .zeros(RESERVED);
        List<byte[]> before = contents();
        DiskSurvey survey = survey();
        Path copy = volume.resolve("copy");
        new DiskCopy(survey, copy).make();
        DiskSurvey copied = DiskSurvey.of(copy);
        assertThat(copied.last()).isEqualTo(new RaftPosition(2, 20));
        assertThat(copied.doubtful()).isZero();
        assertThat(copied.state().getVote()).isEqualTo(MEMBER);
        assertThat(copied.state().getTerm()).isEqualTo(2);
        assertThat(contents()).containsExactlyElementsOf(before);
    }

    @Test
    void aDamagedDatabaseIsNotCopied() throws IOException {
        MemberDisk disk = disk().entries(1, 2, 9);
        Files.write(disk.database(), new byte[40_000]);
        assertThatThrownBy(() -> new DiskCopy(survey(), volume.resolve("copy")).make())
                .isInstanceOf(UnusableDiskException.class)
                .hasMessageContaining("has a damaged database");
    }

    private List<byte[]> contents() throws IOException {
        List<byte[]> all = new ArrayList<>();
        try (var files = Files.walk(volume.resolve("data"))) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                all.add(Files.readAllBytes(file));
            }
        }
        return all;
    }

    private MemberDisk disk() {
        return MemberDisk.ofVoter(volume);
    }

    private DiskSurvey survey() throws IOException {
        return DiskSurvey.of(volume.resolve("data"));
    }

    private void assertUnusable(String why) {
        assertThatThrownBy(this::survey)
                .isInstanceOf(UnusableDiskException.class)
                .hasMessageContaining(why);
    }
}
