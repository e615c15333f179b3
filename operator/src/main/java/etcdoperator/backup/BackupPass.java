package etcdoperator.backup;

import etcdoperator.agentjob.Agents;
import etcdoperator.agentreport.AgentReport;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.backup.BackupView.Reading;
import etcdoperator.cluster.observe.DataVolumes;
import etcdoperator.cluster.observe.DataVolumes.DataVolume;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.BackupCache;
import etcdoperator.kube.BackupCache.BackupObjects;
import etcdoperator.kube.Kube;
import etcdoperator.kube.Kube.NamespaceEndsException;
import etcdoperator.kube.Kube.RefusedException;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.kube.Notice;
import etcdoperator.manifest.AgentSetup;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.ReadMark;
import etcdoperator.manifest.StoreKit;
import etcdoperator.manifest.VolumeReading;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One pass over one EtcdBackup: observe, plan, act, report. */
public final class BackupPass {
    private static final Logger LOG = LoggerFactory.getLogger(BackupPass.class);

    /** What an agent's Job and pod tell comes as an event; this is for what only time brings. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

    private final BackupCache cache;
    private final Kube kube;
    private final Agents agents;
    private final AgentSetup setup;
    private final Clock clock;

    public BackupPass(BackupCache cache, Kube kube, Agents agents, AgentSetup setup, Clock clock) {
        this.cache = cache;
        this.kube = kube;
        this.agents = agents;
        this.setup = setup;
        this.clock = clock;
    }

    /** @return when to look again, if nothing happens before */
    public Optional<Duration> run(ObjectKey key) throws StaleViewException {
        Optional<BackupObjects> found = cache.backup(key);
        if (found.isEmpty()) {
            agents.leave(key);
            return Optional.empty();
        }
        BackupObjects objects = found.get();
        Instant now = clock.instant();
        Step step = Planner.next(view(objects, agents.heard(key), now));
        follow(key, step);
        try {
            act(step, objects, now);
            report(step, objects, now);
        } catch (RefusedException e) {
            refused(step, e, objects, now);
        }
        return switch (step) {
            case Step.Rest _, Step.LetGo _ -> Optional.empty();
            case Step.Bind _,
                    Step.Wait _,
                    Step.Start _,
                    Step.StopMember _,
                    Step.Read _,
                    Step.GiveBack _,
                    Step.Follow _,
                    Step.Complete _,
                    Step.Fail _,
                    Step.Dismiss _,
                    Step.Erase _,
                    Step.EraseAgain _,
                    Step.SendAgain _,
                    Step.Hold _ -> Optional.of(LOOK_AGAIN);
        };
    }

    private BackupView view(BackupObjects objects, Optional<AgentReport> progress, Instant now) {
        EtcdBackup backup = objects.backup();
        EtcdBackupStatus status = Report.statusOf(backup);
        Errand taking = ErrandReader.read(AgentErrands.nameOfTaking(backup), objects.jobs(), objects.pods(), progress);
        Reading reading = reading(objects, progress);
        boolean mayRead = status.completionTime() == null && !reading.isSent();
        var fate = new Fate(objects);
        return new BackupView(
                Optional.ofNullable(status.phase()),
                status.path() != null && fate.sharers().isEmpty(),
                StoreKit.obstacle(backup.getSpec().destination(), setup.endpoints()),
                status.completionTime() == null && objects.jobs().isEmpty()
                        ? new Sources(objects).readiness()
                        : new BackupView.Readiness.Ready(),
                taking,
                reading,
                mayRead ? Fallback.of(objects, now) : new BackupView.Volume.None(),
                Optional.ofNullable(backup.getMetadata().getAnnotations()).map(all -> all.get(Labels.UNHEARD)),
                !Fallback.marked(objects).isEmpty(),
                ErrandReader.read(AgentErrands.nameOfErasing(backup), objects.jobs(), objects.pods(), Optional.empty()),
                fate.keeping(),
                backup.getMetadata().getDeletionTimestamp() != null,
                now);
    }

    private static Reading reading(BackupObjects objects, Optional<AgentReport> progress) {
        String name = AgentErrands.nameOfReading(objects.backup());
        return new Reading(
                ErrandReader.read(name, objects.jobs(), objects.pods(), progress),
                named(objects, name).findFirst().flatMap(VolumeReading::claimOf));
    }

    private static Stream<Job> named(BackupObjects objects, String name) {
        return objects.jobs().stream().filter(job -> job.getMetadata().getName().equals(name));
    }

    private void follow(ObjectKey key, Step step) {
        if (step instanceof Step.Follow(var since, var address, var progress, var claim) && address.isPresent()) {
            agents.follow(key, address.get());
        } else {
            agents.leave(key);
        }
    }

    private void act(Step step, BackupObjects objects, Instant now) throws StaleViewException, RefusedException {
        EtcdBackup backup = objects.backup();
        var fate = new Fate(objects);
        switch (step) {
            case Step.Bind(boolean held, boolean owned) -> kube.bind(backup, fate.finalizers(held), fate.owners(owned));
            case Step.Start() -> kube.create(new AgentErrands(objects).taking(setup, timeOf(backup, now)));
            case Step.StopMember(String peer) ->
                kube.replace(ReadMark.put(backup, volumeOf(peer, objects).peer()));
            case Step.Read(String peer) ->
                kube.create(new AgentErrands(objects).reading(setup, timeOf(backup, now), volumeOf(peer, objects)));
            case Step.GiveBack() -> giveBack(objects);
            case Step.Erase() -> erase(objects);
            case Step.Dismiss() -> {
                delete(AgentErrands.nameOfTaking(backup), objects);
                delete(AgentErrands.nameOfReading(backup), objects);
            }
            case Step.SendAgain(Instant since) -> sendAgain(objects, since);
            case Step.EraseAgain() -> delete(AgentErrands.nameOfErasing(backup), objects);
            case Step.LetGo() -> {
                if (!fate.sharers().isEmpty()) {
                    tell(backup, leftTo(fate.sharers(), backup));
                }
                letGo(objects);
            }
            case Step.Rest _, Step.Wait _, Step.Follow _, Step.Complete _, Step.Fail _, Step.Hold _ -> {}
        }
    }

    /** Written down first: what is deleted cannot tell any more that it was the first. */
    private void sendAgain(BackupObjects objects, Instant since) throws StaleViewException, RefusedException {
        EtcdBackup backup = objects.backup();
        kube.annotate(backup, Map.of(Labels.UNHEARD, since.toString()));
        String reading = AgentErrands.nameOfReading(backup);
        delete(named(objects, reading).findAny().isPresent() ? reading : AgentErrands.nameOfTaking(backup), objects);
    }

    private static Notice leftTo(List<String> sharers, EtcdBackup backup) {
        return Notice.normal(
                "BackupLeft",
                "%s stays where it is: EtcdBackup %s is stored there, too"
                        .formatted(Report.statusOf(backup).objectURL(), String.join(", ", sharers)));
    }

    private DataVolume volumeOf(String peer, BackupObjects objects) throws StaleViewException {
        return objects.cluster().stream()
                .flatMap(cluster -> DataVolumes.of(cluster, clock.instant()).stream())
                .filter(volume -> volume.peer().getMetadata().getName().equals(peer))
                .findFirst()
                .orElseThrow(() -> new StaleViewException("the volume of " + peer + " is gone"));
    }

    /** The mark goes last: as long as it is there, it is known that this is not done yet. */
    private void giveBack(BackupObjects objects) throws StaleViewException, RefusedException {
        if (Report.statusOf(objects.backup()).completionTime() == null) {
            delete(AgentErrands.nameOfTaking(objects.backup()), objects);
        }
        for (EtcdPeer peer : Fallback.marked(objects)) {
            kube.replace(ReadMark.remove(peer));
        }
    }

    private void delete(String job, BackupObjects objects) throws StaleViewException, RefusedException {
        for (Job found : named(objects, job).toList()) {
            kube.delete(found);
        }
    }

    /** One that was begun before, by a Job that somebody has deleted, is stored under the same name. */
    private static Instant timeOf(EtcdBackup backup, Instant now) {
        return Optional.ofNullable(Report.statusOf(backup).startTime()).orElse(now.truncatedTo(ChronoUnit.SECONDS));
    }

    private void erase(BackupObjects objects) throws StaleViewException, RefusedException {
        try {
            kube.create(new AgentErrands(objects).erasing(setup));
        } catch (NamespaceEndsException e) {
            // Nothing can be started there any more, and the namespace would wait for this object for ever.
            tell(
                    objects.backup(),
                    Notice.warning(
                            "BackupLeft",
                            "The namespace is being deleted, so that no agent can be started; %s stays where it is"
                                    .formatted(Report.statusOf(objects.backup()).objectURL())));
            letGo(objects);
        }
    }

    private void letGo(BackupObjects objects) throws StaleViewException, RefusedException {
        kube.bind(
                objects.backup(),
                new Fate(objects).finalizers(false),
                objects.backup().getMetadata().getOwnerReferences());
    }

    private void report(Step step, BackupObjects objects, Instant now) throws StaleViewException, RefusedException {
        EtcdBackup backup = objects.backup();
        EtcdBackupStatus before = Report.statusOf(backup);
        EtcdBackupStatus after = Report.of(backup, step, now);
        if (!after.equals(before)) {
            kube.replaceStatus(withStatus(backup, after));
        }
        Notices.of(backup, step, before).ifPresent(notice -> tell(backup, notice));
    }

    /** What was planned is not allowed: people are told, and time brings the next try. */
    private void refused(Step step, RefusedException refusal, BackupObjects objects, Instant now)
            throws StaleViewException {
        boolean deleted = objects.backup().getMetadata().getDeletionTimestamp() != null;
        boolean finished = Report.statusOf(objects.backup()).completionTime() != null;
        Step instead = deleted || finished
                ? new Step.Hold("Refused", refusal.why())
                : new Step.Wait("Refused", refusal.why(), Optional.empty());
        try {
            report(instead, objects, now);
        } catch (RefusedException e) {
            LOG.warn("Cannot report \"{}\" instead of {}: {}", refusal.why(), step, e.why());
        }
    }

    private void tell(HasMetadata about, Notice notice) {
        notice.log(LOG);
        kube.tell(about, notice);
    }

    private static EtcdBackup withStatus(EtcdBackup backup, EtcdBackupStatus status) {
        var changed = new EtcdBackup();
        changed.setMetadata(backup.getMetadata());
        changed.setSpec(backup.getSpec());
        changed.setStatus(status);
        return changed;
    }
}
