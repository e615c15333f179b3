package etcdoperator.schedule;

import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.kube.BackupCache.ScheduleObjects;
import etcdoperator.kube.Kube;
import etcdoperator.kube.Kube.RefusedException;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.manifest.AgentSetup;
import etcdoperator.manifest.DrillJobs;
import etcdoperator.schedule.DrillPlan.Step;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.time.Instant;

/** Carries out what is planned of drills. */
final class Drills {
    private final Kube kube;
    private final AgentSetup setup;

    Drills(Kube kube, AgentSetup setup) {
        this.kube = kube;
        this.setup = setup;
    }

    /** @return what became of the plan: what is not allowed is said, and holds up no backup */
    DrillPlan carryOut(DrillPlan plan, ScheduleObjects objects, Instant now) throws StaleViewException {
        try {
            switch (plan.step()) {
                case Step.Start(var job, var backup, var why) -> start(job, backup(backup, objects), objects);
                case Step.RestoreFetched(var job, var backup, var since) ->
                    kube.create(jobs(objects)
                            .restoreFetched(
                                    job, backup(backup, objects), objects.clusters(), Duration.between(since, now)));
                case Step.Dismiss(var job) -> dismiss(job, objects);
                case Step.Rest _, Step.Held _, Step.Follow _, Step.Pass _, Step.Fail _ -> {}
            }
            return plan;
        } catch (RefusedException e) {
            return plan.instead(new Step.Held("Refused", e.why()));
        }
    }

    /** Made before it is written down: its name keeps it from being made twice. */
    private void start(String job, EtcdBackup backup, ScheduleObjects objects)
            throws StaleViewException, RefusedException {
        if (DrillJobs.fetchesApart(backup)) {
            boolean claimed = objects.drillClaims().stream()
                    .anyMatch(claim -> claim.getMetadata().getName().equals(job));
            if (!claimed) {
                kube.create(jobs(objects).claim(job, backup, objects.clusters()));
            }
            kube.create(jobs(objects).fetch(job, backup));
        } else {
            kube.create(jobs(objects).of(job, backup, objects.clusters()));
        }
    }

    /** The claim last: as long as it is there, it is known that this is not done yet. */
    private void dismiss(String drill, ScheduleObjects objects) throws StaleViewException, RefusedException {
        String schedule = objects.schedule().getMetadata().getName();
        for (Job job : objects.drills()) {
            if (DrillJobs.drillOf(schedule, job.getMetadata().getName()).equals(drill)) {
                kube.delete(job);
            }
        }
        for (PersistentVolumeClaim claim : objects.drillClaims()) {
            if (claim.getMetadata().getName().equals(drill)) {
                kube.delete(claim);
            }
        }
    }

    private DrillJobs jobs(ScheduleObjects objects) {
        return new DrillJobs(objects.schedule(), setup);
    }

    private static EtcdBackup backup(String name, ScheduleObjects objects) throws StaleViewException {
        return objects.backups().stream()
                .filter(made -> made.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new StaleViewException("EtcdBackup " + name + " is gone"));
    }
}
