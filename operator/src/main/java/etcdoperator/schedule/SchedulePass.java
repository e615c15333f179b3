package etcdoperator.schedule;

import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.api.backup.EtcdBackupScheduleStatus;
import etcdoperator.api.backup.EtcdBackupScheduleStatus.InForce;
import etcdoperator.calendar.DueRun;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.BackupCache;
import etcdoperator.kube.BackupCache.ScheduleObjects;
import etcdoperator.kube.Kube;
import etcdoperator.kube.Kube.RefusedException;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.kube.Notice;
import etcdoperator.manifest.AgentSetup;
import etcdoperator.manifest.Labels;
import etcdoperator.schedule.DrillPlan.Step;
import etcdoperator.schedule.Plan.Farewell;
import etcdoperator.schedule.Plan.Start;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One pass over one EtcdBackupSchedule: observe, plan, act, report. */
public final class SchedulePass {
    private static final Logger LOG = LoggerFactory.getLogger(SchedulePass.class);

    /** Age alone may end a backup's time, and clocks may be set. */
    private static final Duration LONGEST_REST = Duration.ofMinutes(10);

    /** What holds up a drill may be gone without a word, and so may its Job. */
    private static final Duration LOOK_AGAIN = Duration.ofMinutes(1);

    private static final String REFUSED = "Refused";
    private static final Duration TRY_AGAIN = Duration.ofSeconds(10);

    private final BackupCache cache;
    private final Kube kube;
    private final AgentSetup setup;
    private final Drills drills;
    private final Clock clock;

    public SchedulePass(BackupCache cache, Kube kube, AgentSetup setup, Clock clock) {
        this.cache = cache;
        this.kube = kube;
        this.setup = setup;
        this.drills = new Drills(kube, setup);
        this.clock = clock;
    }

    /** @return when to look again, if nothing happens before */
    public Optional<Duration> run(ObjectKey key) throws StaleViewException {
        Optional<ScheduleObjects> found = cache.schedule(key);
        if (found.isEmpty() || found.get().schedule().getMetadata().getDeletionTimestamp() != null) {
            // Its backups stay, with what is stored: who wants them gone deletes them.
            return Optional.empty();
        }
        ScheduleObjects objects = found.get();
        Instant now = clock.instant();
        var reader = new ScheduleReader(objects, setup.endpoints(), now);
        ScheduleView view;
        try {
            view = reader.view();
        } catch (IllegalArgumentException e) {
            return stuck(objects, "InvalidSpec", String.valueOf(e.getMessage()), now);
        }
        try {
            return Optional.of(carryOut(view, reader.inForce(), objects, now));
        } catch (RefusedException e) {
            return stuck(objects, REFUSED, e.why(), now);
        }
    }

    /** What is not allowed of backups is said, and holds up no drill. */
    private Duration carryOut(ScheduleView view, InForce inForce, ScheduleObjects objects, Instant now)
            throws StaleViewException, RefusedException {
        Plan plan = Planner.plan(view);
        Optional<String> refused = act(plan, objects);
        DrillPlan drill = drills.carryOut(DrillPlanner.plan(view.drill()), objects);
        var drilled = new DrillReport(objects.schedule(), now).of(view.drill(), drill);
        var report = new Report(objects, now);
        publish(
                objects,
                refused.map(why -> report.stuck(REFUSED, why, drilled))
                        .orElseGet(() -> report.of(view, plan, inForce, drilled)));
        EtcdBackupSchedule schedule = objects.schedule();
        tell(
                schedule,
                refused.map(why -> news(schedule, REFUSED, why))
                        .orElseGet(() -> Notices.of(plan, ScheduleReader.statusOf(schedule))));
        tell(schedule, drilled.notice().stream().toList());
        return refused.isPresent() ? TRY_AGAIN : rest(view, drill, now);
    }

    private static Duration rest(ScheduleView view, DrillPlan drill, Instant now) {
        Stream<Duration> untilNext = Stream.concat(
                        view.due().next().stream(), view.drill().due().flatMap(DueRun::next).stream())
                .map(next -> Duration.between(now, next).plusMillis(1));
        Duration longest = switch (drill.step()) {
            case Step.Held _, Step.Follow _ -> LOOK_AGAIN;
            case Step.Rest _, Step.Start _, Step.Pass _, Step.Fail _, Step.Dismiss _ -> LONGEST_REST;
        };
        return Stream.concat(untilNext, Stream.of(longest))
                .min(Comparator.naturalOrder())
                .orElse(longest);
    }

    /** @return why the API server says no, if it does */
    private Optional<String> act(Plan plan, ScheduleObjects objects) throws StaleViewException {
        try {
            carryOut(plan, objects);
            return Optional.empty();
        } catch (RefusedException e) {
            return Optional.of(e.why());
        }
    }

    /** A backup is made before it is written down that it was due: its name keeps it from being made twice. */
    private void carryOut(Plan plan, ScheduleObjects objects) throws StaleViewException, RefusedException {
        for (String name : plan.giveUp()) {
            kube.delete(backup(objects, name));
        }
        if (plan.start().isPresent()) {
            kube.create(backup(objects.schedule(), plan.start().get()));
        }
        for (String name : plan.spare()) {
            kube.annotate(backup(objects, name), Map.of(Labels.EXPIRED, ""));
        }
        for (Farewell expired : plan.expire()) {
            kube.annotate(backup(objects, expired.name()), Map.of(Labels.EXPIRED, "true"));
        }
        for (Farewell removed : plan.remove()) {
            kube.delete(backup(objects, removed.name()));
        }
    }

    /** No owner: backups outlive their schedule. */
    private static EtcdBackup backup(EtcdBackupSchedule schedule, Start start) {
        var backup = new EtcdBackup();
        backup.setMetadata(new ObjectMetaBuilder()
                .withNamespace(schedule.getMetadata().getNamespace())
                .withName(start.name())
                .withLabels(Map.of(Labels.SCHEDULE, schedule.getMetadata().getName()))
                .build());
        backup.setSpec(schedule.getSpec().backupTemplate());
        return backup;
    }

    private static EtcdBackup backup(ScheduleObjects objects, String name) {
        return objects.backups().stream()
                .filter(backup -> backup.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void publish(ScheduleObjects objects, EtcdBackupScheduleStatus after)
            throws StaleViewException, RefusedException {
        if (!after.equals(ScheduleReader.statusOf(objects.schedule()))) {
            var changed = new EtcdBackupSchedule();
            changed.setMetadata(objects.schedule().getMetadata());
            changed.setSpec(objects.schedule().getSpec());
            changed.setStatus(after);
            kube.replaceStatus(changed);
        }
    }

    private Optional<Duration> stuck(ScheduleObjects objects, String reason, String why, Instant now)
            throws StaleViewException {
        try {
            publish(objects, new Report(objects, now).stuck(reason, why));
        } catch (RefusedException e) {
            LOG.warn("Cannot report \"{}\": {}", why, e.why());
        }
        tell(objects.schedule(), news(objects.schedule(), reason, why));
        return Optional.of(TRY_AGAIN);
    }

    private static List<Notice> news(EtcdBackupSchedule schedule, String reason, String why) {
        boolean known = ScheduleReader.statusOf(schedule).conditions().stream()
                .map(Condition::getMessage)
                .anyMatch(why::equals);
        return known ? List.of() : List.of(Notice.warning(reason, why));
    }

    private void tell(EtcdBackupSchedule schedule, List<Notice> notices) {
        notices.forEach(notice -> {
            notice.log(LOG);
            kube.tell(schedule, notice);
        });
    }
}
