package io.improbable.etcd.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.improbable.etcd.api.EtcdBackup;
import io.improbable.etcd.api.EtcdBackupSpec;
import io.improbable.etcd.backup.BackupWorld;
import io.improbable.etcd.manifest.Backups;
import io.improbable.etcd.manifest.Labels;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetentionPassTest {
    private final ScheduleStage stage = new ScheduleStage();
    private final BackupWorld world = stage.world;
    /** First it is written down that what is stored goes along, then the object goes. */
    @Test
    void whatHasHadItsTimeGoesWithWhatIsStored() throws Exception {
        world.has(ScheduleStage.schedule("retention: {keepLast: 1}"));
        stage.made("s-1", "Completed", "2026-11-15T08:00:00Z");
        stage.made("s-2", "Completed", "2026-11-15T09:00:00Z");
        stage.run();
        assertThat(world.backup("s-1").getMetadata().getAnnotations()).containsEntry(Labels.EXPIRED, "true");
        stage.run();
        assertThat(stage.names()).containsExactly("s-1", "s-2");
        EtcdBackup held = world.backup("s-1");
        world.bind(held, List.of(Labels.STORED_BACKUP), List.of());
        stage.run();
        assertThat(world.backup("s-1").getMetadata().getDeletionTimestamp()).isNotNull();
        assertThat(world.backup("s-2").getMetadata().getAnnotations()).isNullOrEmpty();
    }

    @Test
    void theNewestGoodOneStaysHoweverOldItIs() throws Exception {
        world.has(ScheduleStage.schedule("retention: {maxAge: 1m}"));
        stage.made("s-1", "Completed", "2026-11-10T08:00:00Z");
        stage.made("s-2", "Failed", "2026-11-15T09:59:50Z");
        stage.run();
        assertThat(world.effects()).noneMatch(effect -> effect.startsWith("annotate"));
        assertThat(world.scheduleNamed("s").getStatus().kept()).isEqualTo(1);
    }

    /** A schedule whose template names another cluster has not backed up the first one since. */
    @Test
    void theNewestGoodOneOfEachSourceStays() throws Exception {
        world.has(ScheduleStage.schedule("retention: {maxAge: 1m}"));
        stage.made("s-1", "Completed", "2026-11-10T07:00:00Z");
        stage.made("s-2", "Completed", "2026-11-10T08:00:00Z");
        EtcdBackup another = ScheduleStage.backup("s-3", "Completed", "2026-11-15T09:00:00Z");
        another.setSpec(Serialization.unmarshal(
                "---\n{source: {endpoints: ['https://b:2379']}, destination: {volume: {claimName: backups}}}",
                EtcdBackupSpec.class));
        world.has(another);
        stage.run();
        assertThat(world.effects().stream().filter(effect -> effect.startsWith("annotate")))
                .containsExactly("annotate EtcdBackup s-1");
    }

    @Test
    void oneThatIsTheNewestAgainIsKeptAfterAll() throws Exception {
        world.has(ScheduleStage.schedule("retention: {keepLast: 1}"));
        stage.made("s-1", "Completed", "2026-11-15T08:00:00Z");
        stage.made("s-2", "Completed", "2026-11-15T09:00:00Z");
        stage.run();
        world.delete(world.backup("s-2"));
        stage.run();
        assertThat(Backups.isExpired(world.backup("s-1"))).isFalse();
        stage.run();
        assertThat(stage.names()).containsExactly("s-1");
        assertThat(world.told()).containsExactly("BackupSpared");
    }

    @Test
    void failedOnesAreKeptToBeReadButNotAll() throws Exception {
        world.has(ScheduleStage.schedule(""));
        for (int i = 1; i <= 5; i++) {
            stage.made("s-" + i, "Failed", "2026-11-15T09:0%d:00Z".formatted(i));
        }
        stage.run();
        stage.run();
        assertThat(stage.names()).containsExactly("s-3", "s-4", "s-5");
    }
}
