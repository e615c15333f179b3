package etcdoperator.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.api.backup.EtcdBackupScheduleSpec;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.api.backup.EtcdBackupStatus.BackupPhase;
import etcdoperator.api.backup.RetentionSpec;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.BackupCache;
import etcdoperator.kube.Kube;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.kube.SpoiledKube;
import etcdoperator.simulation.rules.Invariant;
import etcdoperator.simulation.world.Sabotage;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Operator and agents broken on purpose, once for each invariant about backups and their schedules. */
class BackupSabotageTest {
    private static final int ENOUGH = 2_000;

    @BeforeAll
    static void quiet() {
        ((Logger) LoggerFactory.getLogger("etcdoperator")).setLevel(Level.OFF);
    }

    @Test
    void anotherObjectIsPutOnRecord() {
        assertFound(Invariant.A_COMPLETED_BACKUP_IS_STORED, writing(honest -> new SpoiledKube(honest) {
            @Override
            public <T extends CustomResource<?, ?>> T replaceStatus(T object)
                    throws StaleViewException, RefusedException {
                if (object instanceof EtcdBackup backup && isCompleted(backup)) {
                    backup.setStatus(elsewhere(backup.getStatus()));
                }
                return super.replaceStatus(object);
            }
        }));
    }

    @Test
    void agentsTakeWhatTheFirstMemberGives() {
        assertFound(Invariant.A_BACKUP_LACKS_NOTHING, working(world -> world.agentWork().askAnybody()));
    }

    @Test
    void agentsAskMembersOfOtherClusters() {
        assertFound(Invariant.A_BACKUP_IS_OF_ITS_CLUSTER, working(world -> world.agentWork().askStrangers()));
    }

    @Test
    void agentsStoreAgainWhatIsStored() {
        assertFound(Invariant.A_BACKUP_STAYS_AS_IT_IS, working(world -> world.agentWork().storeAgain()));
    }

    @Test
    void backupsThatStayAreErased() {
        assertFound(Invariant.ONLY_WHAT_IS_DELETED_IS_ERASED, seeing(BackupSabotageTest::asDeleted, seen -> seen));
    }

    @Test
    void oneBackupIsEnoughForEverybody() {
        assertFound(
                Invariant.RETENTION_KEEPS_WHAT_IT_MUST,
                seeing(seen -> seen, schedule -> keeping(new RetentionSpec(1, null, null, null, null, null, null), schedule)));
    }

    @Test
    void pinsAreNotSeen() {
        assertFound(
                Invariant.RETENTION_KEEPS_WHAT_IT_MUST,
                seeing(backup -> Sight.annotated(backup, Map.of(Labels.PINNED, "false")), schedule -> schedule));
    }

    @Test
    void backupsUnderWayAreNotSeen() {
        assertFound(Invariant.BACKUPS_OF_A_SCHEDULE_RUN_ONE_BY_ONE, new Sabotage() {
            @Override
            public BackupCache backups(BackupCache honest) {
                return spoiled(honest, seen -> seen, seen -> new BackupCache.ScheduleObjects(
                        seen.schedule(),
                        seen.backups().stream()
                                .filter(BackupSabotageTest::hasEnded)
                                .toList(),
                        seen.clusters(),
                        seen.drills(),
                        seen.drillPods()));
            }
        });
    }

    @Test
    void nothingIsErased() {
        assertFound(Invariant.IT_SETTLES, writing(honest -> new SpoiledKube(honest) {
            @Override
            public void create(HasMetadata object) throws StaleViewException, RefusedException {
                if (!object.getMetadata().getName().endsWith("-delete")) {
                    super.create(object);
                }
            }
        }));
    }

    /** Of histories with backups. */
    private static void assertFound(Invariant invariant, Sabotage sabotage) {
        Optional<Invariant> found = LongStream.range(0, ENOUGH)
                .filter(History::isBackedUp)
                .mapToObj(seed -> Outcome.of(seed, sabotage, EnumSet.of(invariant)))
                .flatMap(outcome -> outcome.violated().stream())
                .findFirst();
        assertThat(found).contains(invariant);
    }

    private static Sabotage writing(UnaryOperator<Kube> spoil) {
        return new Sabotage() {
            @Override
            public Kube kube(Kube honest, World world) {
                return spoil.apply(honest);
            }
        };
    }

    private static Sabotage working(Consumer<World> spoil) {
        return new Sabotage() {
            @Override
            public Kube kube(Kube honest, World world) {
                spoil.accept(world);
                return honest;
            }
        };
    }

    /** Backups and schedules look other than they are. */
    private static Sabotage seeing(
            UnaryOperator<EtcdBackup> backups, UnaryOperator<EtcdBackupSchedule> schedules) {
        return new Sabotage() {
            @Override
            public BackupCache backups(BackupCache honest) {
                return spoiled(
                        honest,
                        seen -> new BackupCache.BackupObjects(
                                backups.apply(seen.backup()),
                                seen.cluster(),
                                seen.jobs(),
                                seen.pods(),
                                seen.others(),
                                seen.secrets()),
                        seen -> new BackupCache.ScheduleObjects(
                                schedules.apply(seen.schedule()),
                                seen.backups().stream().map(backups).toList(),
                                seen.clusters(),
                                seen.drills(),
                                seen.drillPods()));
            }
        };
    }

    private static BackupCache spoiled(
            BackupCache honest,
            UnaryOperator<BackupCache.BackupObjects> backups,
            UnaryOperator<BackupCache.ScheduleObjects> schedules) {
        return new BackupCache() {
            @Override
            public Optional<BackupObjects> backup(ObjectKey key) {
                return honest.backup(key).map(backups);
            }

            @Override
            public Optional<ScheduleObjects> schedule(ObjectKey key) {
                return honest.schedule(key).map(schedules);
            }
        };
    }

    private static boolean hasEnded(EtcdBackup backup) {
        return backup.getStatus() != null && backup.getStatus().completionTime() != null;
    }

    private static boolean isCompleted(EtcdBackup backup) {
        return backup.getStatus().phase() == BackupPhase.COMPLETED;
    }

    private static EtcdBackup asDeleted(EtcdBackup backup) {
        return hasEnded(backup)
                ? Objects.with(
                        backup,
                        new ObjectMetaBuilder(backup.getMetadata())
                                .withDeletionTimestamp(
                                        backup.getStatus().completionTime().toString())
                                .withFinalizers(List.of(Labels.STORED_BACKUP))
                                .build())
                : backup;
    }

    private static EtcdBackupStatus elsewhere(EtcdBackupStatus status) {
        return new EtcdBackupStatus(
                status.phase(),
                status.objectURL(),
                status.path() + "x",
                status.revision(),
                status.sizeBytes(),
                status.transferredBytes(),
                status.sha256(),
                status.etcdVersion(),
                status.hashKV(),
                status.keys(),
                status.compactRevision(),
                status.startTime(),
                status.completionTime(),
                status.conditions());
    }

    private static EtcdBackupSchedule keeping(RetentionSpec retention, EtcdBackupSchedule schedule) {
        EtcdBackupSchedule copy = Objects.copy(schedule);
        EtcdBackupScheduleSpec spec = schedule.getSpec();
        copy.setSpec(new EtcdBackupScheduleSpec(
                spec.schedule(),
                spec.timeZone(),
                spec.suspend(),
                spec.concurrencyPolicy(),
                spec.startingDeadline(),
                spec.backupTemplate(),
                retention,
                spec.drill()));
        return copy;
    }
}
